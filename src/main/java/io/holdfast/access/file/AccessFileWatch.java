package io.holdfast.access.file;

import io.holdfast.access.file.AccessFileReader.Result;
import io.holdfast.kernel.CannotStartException;
import io.holdfast.kernel.RepeatedProblems;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Follows the content of the access file, so it does not matter how the file is replaced: by a write, a rename, or a
 * symbolic link of Kubernetes. A new version counts when two looks in a row find it, so that a file that is being
 * written does not count with its first half. A version that cannot be used is reported, and the one before stays in
 * force. Blocks.
 */
public final class AccessFileWatch {
    private static final Logger LOG = Logger.getLogger(AccessFileWatch.class);
    private static final String SETTING = "holdfast.access-file";

    private final Path file;
    private final int bytesMax;
    private final InstantSource clock;
    private final RepeatedProblems<Path> reports = new RepeatedProblems<>();

    private Optional<FileContent> inForce = Optional.empty();
    private Optional<FileContent> seen = Optional.empty();
    private Optional<Judged> judged = Optional.empty();
    private volatile Optional<Problem> problem = Optional.empty();

    public AccessFileWatch(Path file, int bytesMax, InstantSource clock) {
        this.file = file;
        this.bytesMax = bytesMax;
        this.clock = clock;
    }

    /** @param sentence why the present content is not in force */
    public record Problem(String sentence, Instant since) {}

    private record Judged(FileContent content, Optional<AccessFile> usable, String problem) {}

    /** The first version. @throws CannotStartException with one sentence */
    public synchronized AccessFile load() {
        var first = judge(FileContent.of(file, bytesMax));
        if (first.usable().isEmpty()) {
            throw new CannotStartException("%s (%s) %s. Correct it, and check it with 'holdfast access check'."
                    .formatted(SETTING, file, first.problem()));
        }
        inForce = Optional.of(first.content());
        report("Access file in force", first.usable().get());
        return first.usable().get();
    }

    /** A new version that is in force from now on. */
    public synchronized Optional<AccessFile> look() {
        var content = Optional.of(FileContent.of(file, bytesMax));
        var settled = content.equals(seen);
        seen = content;
        if (content.equals(inForce)) {
            recovered();
            return Optional.empty();
        }
        if (!settled) {
            return Optional.empty();
        }
        if (judged.filter(known -> known.content().equals(content.get())).isEmpty()) {
            judged = Optional.of(judge(content.get()));
        }
        var found = judged.get();
        if (found.usable().isEmpty()) {
            refused(found.problem());
            return Optional.empty();
        }
        inForce = content;
        judged = Optional.empty();
        recovered();
        report("Access file changed", found.usable().get());
        return found.usable();
    }

    public Optional<Problem> problem() {
        return problem;
    }

    private static Judged judge(FileContent content) {
        return switch (content) {
            case FileContent.Unreadable unreadable -> new Judged(content, Optional.empty(), unreadable.problem());
            case FileContent.Present present ->
                switch (AccessFileReader.read(present.text())) {
                    case Result.Usable usable -> new Judged(content, Optional.of(usable.file()), "");
                    case Result.Broken broken -> new Judged(content, Optional.empty(), "is wrong: " + broken.summary());
                };
        };
    }

    private void refused(String why) {
        var now = clock.instant();
        var sentence = "%s %s; the version before stays in force".formatted(file, why);
        problem = Optional.of(new Problem(sentence, problem.map(Problem::since).orElse(now)));
        reports.occurred(file, sentence, now)
                .ifPresent(report ->
                        LOG.errorf("Access file refused file=%s reason=\"%s\"%s", file, sentence, report.suffix()));
    }

    private void recovered() {
        problem = Optional.empty();
        reports.ended(file, clock.instant())
                .ifPresent(ended -> LOG.infof("Access file usable again file=%s after=%s", file, ended.lasted()));
    }

    private void report(String message, AccessFile usable) {
        LOG.infof(
                "%s file=%s issuers=%d tokens=%d grants=%d",
                message,
                file,
                usable.issuers().size(),
                usable.tokens().size(),
                usable.policy().grants().size());
    }
}

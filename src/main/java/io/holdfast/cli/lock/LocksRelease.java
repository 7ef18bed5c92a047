package io.holdfast.cli.lock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.cli.output.Output;
import io.holdfast.http.wire.lock.LockBody;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "release",
        description = "Release a lock, or take it from its holder with --force.",
        footer = {
            "  holdfast locks acquire deploy --owner ci-42",
            "  holdfast locks release deploy --owner ci-42",
        })
final class LocksRelease extends ApiCommand {
    private static final JsonNode NOT_HELD =
            JsonNodeFactory.instance.objectNode().put("released", false);

    @Mixin
    private LeaseOptions options;

    @Option(names = "--force", description = "Take it from its holder; needs --reason")
    private boolean force;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; shown to the holder and in the log")
    private String reason;

    @Option(names = "--lock-delay", paramLabel = "TIME", description = "With --force: do not grant it for this time")
    private Duration lockDelay;

    @Option(
            names = {"-y", "--yes"},
            description = "With --force: do not ask on a terminal")
    private boolean yes;

    @Override
    public Integer call() {
        if (force) {
            return forced();
        }
        if (reason != null || lockDelay != null || yes) {
            throw usageError("--reason, --lock-delay and --yes belong to --force");
        }
        var lease = options.find(this);
        var body = lease.map(this::released).orElse(NOT_HELD);
        if (output().format() == Format.TABLE) {
            output().message(outcome(lease.isPresent(), body).formatted(options.name()));
        } else {
            output().object(body);
        }
        return Exit.DONE;
    }

    private static String outcome(boolean known, JsonNode body) {
        if (!known) {
            return "There is no lock '%s': nothing was released.";
        }
        return body.path("released").asBoolean() ? "Released '%s'." : "'%s' is not held: nothing was released.";
    }

    private JsonNode released(LeaseOptions.Lease lease) {
        var query = new LinkedHashMap<String, String>();
        query.put("lock_id", lease.lockId());
        query.put("owner", lease.owner());
        query.put("fencing_token", lease.fencingToken() == null ? null : Long.toString(lease.fencingToken()));
        return api().delete(options.path() + ApiClient.query(query)).orFail().body();
    }

    private Integer forced() {
        if (reason == null || reason.isBlank()) {
            throw usageError("--force needs a --reason");
        }
        if (options.isNamed()) {
            throw usageError(
                    "--force takes the lock from any holder; leave --owner, --lock-id and --fencing-token out");
        }
        var seen = api().read(api().get(options.path()).orFail().body(), LockBody.class);
        if (!seen.status().equals("active")) {
            throw new CliException(
                    Exit.FAILED, "Lock '%s' is not held: it is %s.".formatted(seen.name(), seen.status()));
        }
        if (!confirmed(seen)) {
            throw new CliException(Exit.FAILED, "Nothing was released.");
        }
        var query = new LinkedHashMap<String, String>();
        query.put("force", "true");
        query.put("fencing_token", Long.toString(seen.fencingToken()));
        query.put("reason", reason);
        query.put("lock_delay", lockDelay == null ? null : DurationText.wire(lockDelay));
        var body =
                api().delete(options.path() + ApiClient.query(query)).orFail().body();
        if (output().format() == Format.TABLE) {
            output().message("Took '%s' from %s.".formatted(seen.name(), seen.owner()));
        } else {
            output().object(body);
        }
        return Exit.DONE;
    }

    /** Asks at a terminal only: a script has decided by calling this command. */
    private boolean confirmed(LockBody seen) {
        var streams = environment().streams();
        if (yes || !streams.terminals().in()) {
            return true;
        }
        if (!streams.terminals().err()) {
            throw new CliException(
                    Exit.USAGE,
                    "Cannot ask whether to take '%s': stderr is not a terminal. Use --yes.".formatted(seen.name()));
        }
        streams.err()
                .print(
                        """
                Lock '%s' is held by %s%s
                  since %s, for another %s
                  fencing token %d, renewed %d times, %d waiting
                Take it away? The holder may still be working. [y/N]\s"""
                                .formatted(
                                        seen.name(),
                                        seen.owner(),
                                        about(seen),
                                        seen.acquiredAt(),
                                        DurationText.words(seen.remainingMs()),
                                        seen.fencingToken(),
                                        seen.renewals(),
                                        seen.waiting() == null ? 0 : seen.waiting()));
        streams.err().flush();
        return readLine().strip().toLowerCase(Locale.ROOT).matches("y(es)?");
    }

    /** Metadata and contact of the holder. */
    private static String about(LockBody seen) {
        var known = new LinkedHashMap<String, String>();
        if (seen.metadata() != null) {
            known.putAll(new TreeMap<>(seen.metadata()));
        }
        if (seen.userEmail() != null) {
            known.put("email", seen.userEmail());
        }
        return known.isEmpty()
                ? ""
                : known.entrySet().stream()
                        .map(one -> Output.oneLine(one.getKey() + "=" + one.getValue()))
                        .collect(Collectors.joining(" ", "\n  ", ""));
    }

    private String readLine() {
        var line = new StringBuilder();
        try {
            for (var c = environment().streams().in().read();
                    c >= 0 && c != '\n';
                    c = environment().streams().in().read()) {
                line.append((char) c);
            }
        } catch (IOException e) {
            return "";
        }
        return line.toString();
    }
}

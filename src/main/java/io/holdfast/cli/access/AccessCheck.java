package io.holdfast.cli.access;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.access.file.AccessFile;
import io.holdfast.access.file.AccessFileReader;
import io.holdfast.access.file.AccessFileReader.Result;
import io.holdfast.access.model.AccessDecision.Allowed;
import io.holdfast.access.model.AccessDecision.Denied;
import io.holdfast.access.model.Permission;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.cli.output.Output;
import io.holdfast.kernel.Subject;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = {
            "Show every error of an access file, else exit code 0.",
            "With 'can SUBJECT ACTION RESOURCE', say whether the file allows it:",
            "exit code 0, or 7 if not. The action admin needs no RESOURCE.",
        },
        footer = {
            "  holdfast access check access.yaml can token:ops acquire locks:billing/db",
        })
final class AccessCheck extends ApiCommand {
    private static final int BYTES_MAX = 1024 * 1024;
    private static final String CAN = "can";
    private static final int WORDS_MIN = 3;
    private static final int WORDS_MAX = 4;

    @Parameters(index = "0", paramLabel = "FILE", description = "The access file, in YAML")
    private String file;

    @Parameters(index = "1..*", paramLabel = "QUESTION", description = "can SUBJECT ACTION RESOURCE, as in the example")
    private List<String> question = List.of();

    @Override
    public Integer call() {
        if (!question.isEmpty() && !isQuestion()) {
            throw usageError("After FILE, ask: can SUBJECT ACTION RESOURCE");
        }
        return switch (AccessFileReader.read(text())) {
            case Result.Broken broken -> broken(broken);
            case Result.Usable usable -> question.isEmpty() ? fine(usable.file()) : answer(usable.file());
        };
    }

    private boolean isQuestion() {
        return question.getFirst().equals(CAN) && question.size() >= WORDS_MIN && question.size() <= WORDS_MAX;
    }

    private int broken(Result.Broken broken) {
        broken.errors().forEach(error -> holdfast().note(error.sentence()));
        if (output().format() != Format.TABLE) {
            var errors = JsonNodeFactory.instance.objectNode().put("fine", false);
            var list = errors.putArray("errors");
            broken.errors().forEach(error -> list.add(error.sentence()));
            output().object(errors);
        }
        return Exit.FAILED;
    }

    private int fine(AccessFile access) {
        var counts = JsonNodeFactory.instance
                .objectNode()
                .put("fine", true)
                .put("issuers", access.issuers().size())
                .put("tokens", access.tokens().size())
                .put("grants", access.policy().grants().size());
        print(
                counts,
                "The access file is fine. Issuers: %d, tokens: %d, grants: %d."
                        .formatted(
                                access.issuers().size(),
                                access.tokens().size(),
                                access.policy().grants().size()));
        return Exit.DONE;
    }

    private int answer(AccessFile access) {
        var subject = new Subject(question.get(1));
        var permission = Permission.parse(question.get(2), question.size() == WORDS_MAX ? question.get(3) : "");
        var answer = JsonNodeFactory.instance.objectNode();
        return switch (access.policy().decide(subject, permission)) {
            case Allowed allowed -> {
                print(answer.put("allowed", true).put("by", allowed.by()), "Yes, by " + allowed.by() + ".");
                yield Exit.DONE;
            }
            case Denied denied -> {
                print(answer.put("allowed", false).put("missing", denied.missing()), "No. " + denied.sentence());
                yield Exit.FORBIDDEN;
            }
        };
    }

    private void print(ObjectNode result, String sentence) {
        if (output().format() == Format.TABLE) {
            output().message(sentence);
        } else {
            output().object(result);
        }
    }

    private String text() {
        var name = "'" + Output.oneLine(file) + "'";
        try (var in = new FileInputStream(file)) {
            var bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new CliException(Exit.FAILED, "%s is longer than %d bytes.".formatted(name, BYTES_MAX));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw failure(name + " is not UTF-8.", e);
        } catch (IOException e) {
            throw failure(name + " cannot be read.", e);
        }
    }

    private static CliException failure(String sentence, IOException cause) {
        var failure = new CliException(Exit.FAILED, sentence);
        failure.initCause(cause);
        return failure;
    }
}

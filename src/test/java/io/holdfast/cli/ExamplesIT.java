package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boot.PackagedCommand;
import io.holdfast.boot.PackagedProgram;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the help work as they stand, on a new service. */
class ExamplesIT {
    private static final int AT_ONCE = 2;

    /** A call that is only slow, because the machine is busy, does not fail. */
    private static final String PATIENT = "1m";

    private static final String TABLE = "examples-" + UUID.randomUUID();

    @TempDir
    Path folder;

    @Test
    void everyExampleWorksAsItStands() throws Exception {
        writeProgram();
        writeAccessFile();
        assertThat(failures("", "holdfast table create")).isEmpty();
        var commands = Commands.all();
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            var running = IntStream.range(0, AT_ONCE)
                    .mapToObj(share -> threads.submit(() -> failures(every(AT_ONCE, share, commands))))
                    .toList();

            assertThat(collected(running)).isEmpty();
        }
    }

    private static <T> List<T> every(int step, int first, List<T> all) {
        return IntStream.range(0, all.size())
                .filter(i -> i % step == first)
                .mapToObj(all::get)
                .toList();
    }

    private static List<String> collected(List<Future<List<String>>> running)
            throws InterruptedException, ExecutionException {
        var failures = new ArrayList<String>();
        for (var group : running) {
            failures.addAll(group.get());
        }
        return failures;
    }

    /** On a service of their own, one after the other: they speak of the same things. */
    private List<String> failures(List<Commands.Known> commands) {
        var data = PackagedProgram.newDataFolder().toString();
        try (var program = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", data))) {
            return failures(program.address().toString(), commands);
        }
    }

    private List<String> failures(String server, List<Commands.Known> commands) {
        var failures = new ArrayList<String>();
        for (var command : commands) {
            if (command.words().equals(List.of("serve"))) {
                // It would serve for ever; it has a test of its own.
                continue;
            }
            for (var example : command.examples()) {
                failures.addAll(failures(server, example));
            }
        }
        return failures;
    }

    private List<String> failures(String server, String example) {
        try (var typed = PackagedCommand.script(environment(server, example), "cd && exec bash -c \"$EXAMPLE\"")) {
            typed.typing("");
            var exit = typed.awaitExit();
            return exit == 0
                    ? List.of()
                    : List.of("%s: exit %d\n%s%s".formatted(example, exit, typed.out(), typed.err()));
        }
    }

    private Map<String, String> environment(String server, String example) {
        return Map.ofEntries(
                Map.entry("EXAMPLE", example),
                Map.entry("HOLDFAST_URL", server),
                Map.entry("HOLDFAST_TIMEOUT", PATIENT),
                Map.entry("HOME", folder.toString()),
                Map.entry("PATH", folder + ":" + System.getenv("PATH")),
                Map.entry("HOLDFAST_TABLE", TABLE),
                Map.entry(
                        "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                        DynamoDbLocal.shared().endpoint().toString()),
                Map.entry("AWS_REGION", "eu-west-3"),
                Map.entry("AWS_ACCESS_KEY_ID", "AKIA"),
                Map.entry("AWS_SECRET_ACCESS_KEY", "secret"));
    }

    /** In the home folder, where the examples are typed. */
    private void writeAccessFile() throws IOException {
        Files.writeString(
                folder.resolve("access.yaml"),
                """
                tokens:
                  - {name: ops, sha256: 8b1fa7b3f9a4b2c4d0e6f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6}
                grants:
                  - {subjects: ["token:ops"], allow: [{locks: "billing/", actions: [read, acquire]}]}
                """);
    }

    /** What to type is {@code holdfast}, wherever it is. */
    private void writeProgram() throws IOException {
        var script = "#!/bin/sh\nexec " + PackagedCommand.typed() + " \"$@\"\n";
        var program = Files.writeString(folder.resolve("holdfast"), script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

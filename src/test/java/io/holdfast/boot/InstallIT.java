package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.cli.CliCalls;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What `make install` leaves behind, in a place with a space in its name. */
@QuarkusIntegrationTest
class InstallIT {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final int SECONDS_MAX = 240;

    @TempDir
    static Path folder;

    private record Result(int exit, String output) {}

    @BeforeAll
    static void install() throws Exception {
        Files.createDirectory(folder.resolve("a place"));
        var installed = tool("install", JAVA);

        assertThat(installed).isEqualTo(new Result(0, "Installed holdfast 0.2.0 as " + program() + "\n"));
    }

    @AfterAll
    static void uninstall() throws Exception {
        assertThat(tool("uninstall")).isEqualTo(new Result(0, ""));
        assertThat(folder.resolve("a place")).isEmptyDirectory();
    }

    private static Path program() {
        return folder.resolve("a place/bin/holdfast");
    }

    private static Result tool(String... words) throws Exception {
        var command = new java.util.ArrayList<>(List.of("sh", "tools/install"));
        command.addAll(List.of(words));
        return run(Map.of("DESTDIR", folder.toString(), "PREFIX", "/a place"), command);
    }

    private static Result run(Map<String, String> environment, List<String> command) throws Exception {
        var process = started(environment, command);
        try {
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            return new Result(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process started(Map<String, String> environment, List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.equals("JAVA_HOME"));
        builder.environment().put("HOLDFAST_URL", "http://localhost:" + RestAssured.port);
        builder.environment().putAll(environment);
        return builder.start();
    }

    @Test
    void commandsWorkAlsoThroughALink() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link"), program());
        var name = CliCalls.unique("installed");

        assertThat(run(Map.of(), List.of(link.toString(), "locks", "acquire", name, "--owner", "a b", "-o", "plain")))
                .satisfies(result -> assertThat(result.output()).contains("owner\ta b\n"))
                .extracting(Result::exit)
                .isEqualTo(0);
    }

    @Test
    void noShellStandsBetweenASignalAndTheProgram() throws Exception {
        var name = CliCalls.unique("installed");
        var hold = started(Map.of(), List.of(program().toString(), "locks", "hold", name, "-o", "json"));
        try (var lines = hold.inputReader()) {
            assertThat(lines.readLine()).contains(name);
            hold.destroy();
            assertThat(hold.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(hold.exitValue()).isZero();
        } finally {
            hold.destroyForcibly();
        }
    }

    /** A closed stdin may become an empty one. It must not become a file or a socket of the program. */
    @Test
    void aClosedStdinIsNotReplacedByADescriptorOfTheProgram() throws Exception {
        var script = "exec \"$0\" exec --lock \"$1\" -- sh -c 'readlink /proc/self/fd/0 || echo closed' <&-";

        assertThat(run(Map.of(), List.of("sh", "-c", script, program().toString(), CliCalls.unique("installed"))))
                .isIn(new Result(0, "/dev/null\n"), new Result(0, "closed\n"));
    }

    /** As in a container: no locale is set. */
    @Test
    void aCommandGetsItsWordsAsTheyAre() throws Exception {
        assumeFalse(PackagedProgram.isNative(), "there is no launcher before the native program");
        var script = "unset LC_ALL LC_CTYPE LANG; exec \"$0\" exec --lock \"$1\" -- sh -c 'echo \"$0\"' Zoë";

        assertThat(run(Map.of(), List.of("sh", "-c", script, program().toString(), CliCalls.unique("installed"))))
                .isEqualTo(new Result(0, "Zoë\n"));
    }

    @Test
    void bashFindsTheCompletion() throws Exception {
        var completion = folder.resolve("a place/share/bash-completion/completions/holdfast");

        assertThat(run(Map.of(), List.of("bash", "-c", "source \"$0\" && complete -p holdfast", completion.toString())))
                .satisfies(result -> assertThat(result.output()).contains("_complete_holdfast"))
                .extracting(Result::exit)
                .isEqualTo(0);
    }

    @Test
    void whoNamesAJavaThatIsTooOldIsTold() throws Exception {
        assumeFalse(PackagedProgram.isNative(), "the native program needs no Java");
        var old = java("17.0.15");

        assertThat(run(
                        Map.of("HOLDFAST_JAVA", old.toString()),
                        List.of(program().toString(), "--version")))
                .isEqualTo(new Result(
                        4,
                        "holdfast: HOLDFAST_JAVA must name a java program of at least version 21, not '" + old
                                + "'.\n"));
    }

    @Test
    void aJavaThatIsTooOldIsPassedByAndANewerOneTaken() throws Exception {
        assumeFalse(PackagedProgram.isNative(), "the native program needs no Java");
        var home = java("1.8.0_402").getParent().getParent();

        assertThat(run(Map.of("JAVA_HOME", home.toString()), List.of(program().toString(), "--version")))
                .isEqualTo(new Result(0, "holdfast 0.2.0\n"));
        assertThat(run(
                        Map.of("HOLDFAST_JAVA", java("21.0.2").toString()),
                        List.of(program().toString(), "locks", "list")))
                .satisfies(result -> assertThat(result.output())
                        .contains("-Xmx64m")
                        .endsWith("/a place/lib/holdfast/quarkus-run.jar locks list\n"));
    }

    @Test
    void withoutAnyJavaItSaysSo() throws Exception {
        assumeFalse(PackagedProgram.isNative(), "the native program needs no Java");
        var known = folder.resolve("a place/lib/holdfast/java");
        var installer = Files.readString(known);
        var path = java("17").getParent() + ":" + System.getenv("PATH");
        try {
            Files.writeString(known, folder.resolve("gone").toString());

            assertThat(run(Map.of("PATH", path), List.of(program().toString(), "--version")))
                    .isEqualTo(new Result(
                            4, "holdfast: Java 21 or newer is needed: set HOLDFAST_JAVA to a java program.\n"));
        } finally {
            Files.writeString(known, installer);
        }
    }

    /** One that only tells its version, and otherwise what it was called with. */
    private static Path java(String version) throws IOException {
        var bin = Files.createDirectories(folder.resolve("java " + version + "/bin"));
        var script =
                """
                #!/bin/sh
                [ "$1" != -version ] || { echo 'openjdk version "%s" 2024-01-16' >&2; exit; }
                echo "$@"
                """
                        .formatted(version);
        var java = Files.writeString(bin.resolve("java"), script);
        return Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

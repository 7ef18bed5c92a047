package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged jar on a Java that Quarkus can run on but Holdfast cannot. Skipped where there is none. */
class OldJavaIT {
    private static final Pattern OLD = Pattern.compile("(?m)^JAVA_VERSION=\"(1[7-9]|20)[.\"]");

    @ParameterizedTest
    @ValueSource(strings = {"", "--version"})
    void theJarSaysWhichJavaItNeeds(String argument) throws Exception {
        assumeFalse(PackagedProgram.isNative(), "the native program needs no Java");
        var home = oldJava();
        assumeTrue(home.isPresent(), "there is no Java from 17 to 20 beside the one that runs this");
        var builder = new ProcessBuilder(
                home.get().resolve("bin/java").toString(),
                "-jar",
                PackagedProgram.TARGET.resolve("quarkus-app/quarkus-run.jar").toString());
        if (!argument.isEmpty()) {
            builder.command().add(argument);
        }

        var process = builder.redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(4);
        assertThat(output)
                .matches("holdfast: Java 21 or newer is needed, and this is Java (1[7-9]|20):"
                        + " run the jar with a newer java\\.\n");
    }

    /** As tools/find-jdk does: among the homes beside this one. */
    private static Optional<Path> oldJava() throws IOException {
        var beside = Path.of(System.getProperty("java.home")).toRealPath().getParent();
        try (var homes = Files.list(beside)) {
            return homes.sorted()
                    .filter(home -> Files.isExecutable(home.resolve("bin/java")))
                    .filter(OldJavaIT::isOld)
                    .findFirst();
        }
    }

    private static boolean isOld(Path home) {
        try {
            return OLD.matcher(Files.readString(home.resolve("release"))).find();
        } catch (IOException noRelease) {
            return false;
        }
    }
}

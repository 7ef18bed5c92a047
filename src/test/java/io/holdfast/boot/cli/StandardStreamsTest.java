package io.holdfast.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the standard streams are taken by /dev/null. {@code InstallIT} starts the program with a closed stdin. */
class StandardStreamsTest {
    @TempDir
    Path descriptors;

    @Test
    void thoseThatAreClosedAreTaken() throws IOException {
        Files.createFile(descriptors.resolve("1"));

        assertThat(StandardStreams.takeClosed(descriptors)).isEqualTo(2);
    }

    /** A descriptor of a pipe is a link to no file. */
    @Test
    void thoseThatAreOpenAreLeftAlone() throws IOException {
        for (var number : new String[] {"0", "1", "2"}) {
            Files.createSymbolicLink(descriptors.resolve(number), Path.of("pipe:[4711]"));
        }

        assertThat(StandardStreams.takeClosed(descriptors)).isZero();
    }

    @Test
    void nothingIsKnownWhereNoDescriptorsAreListed() {
        assertThat(StandardStreams.takeClosed(descriptors.resolve("none"))).isZero();
    }
}

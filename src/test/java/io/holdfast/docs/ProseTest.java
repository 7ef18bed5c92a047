package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sentence names its subject: a class, a request, a client, a replica. */
class ProseTest {
    private static final Pattern NO_SUBJECT =
            Pattern.compile("\\b([Ww]hoever|[Ww]hatever|[Ss]omebody|[Nn]obody|[Aa]nybody|[Ee]verybody)\\b");

    @ParameterizedTest
    @ValueSource(
            strings = {"src/main", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "k8s", "aws", "examples"})
    void noSentenceLeavesOpenWhoActs(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            var found =
                    files.filter(Files::isRegularFile).flatMap(ProseTest::lines).toList();

            assertThat(found).isEmpty();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")).stream()
                    .filter(line -> NO_SUBJECT.matcher(line).find())
                    .map(line -> file + ": " + line.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

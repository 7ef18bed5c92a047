package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.docs.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the images say of themselves is what the manifests and the program count on. */
class ImagesTest {
    private static final Path FOLDER = Path.of("src/main/docker");
    private static final Pattern JOINED = Pattern.compile("\\\\\\n\\s*");

    private record Instruction(String name, String arguments) {
        static Instruction of(String line) {
            var parts = line.split("\\s+", 2);
            return new Instruction(parts[0], parts[1]);
        }
    }

    /** The instructions of the last stage, which is what runs. */
    private record Image(Path file, List<Instruction> all) {
        List<Instruction> last() {
            var from = all.stream().map(Instruction::name).toList().lastIndexOf("FROM");
            return all.subList(from, all.size());
        }

        List<String> of(String name) {
            return last().stream()
                    .filter(instruction -> instruction.name().equals(name))
                    .map(Instruction::arguments)
                    .toList();
        }

        List<String> copied() {
            return of("COPY").stream()
                    .map(copy -> copy.substring(copy.lastIndexOf(' ') + 1))
                    .toList();
        }

        @Override
        public String toString() {
            return file.getFileName().toString();
        }
    }

    @Test
    void thereAreThree() {
        assertThat(images()).hasToString("[Dockerfile.jvm, Dockerfile.native, Dockerfile.native-micro]");
    }

    @ParameterizedTest
    @MethodSource("images")
    void theUserIsANumberAndTheOneOfTheManifests(Image image) {
        var user = image.of("USER");

        assertThat(user).hasSize(1).first().asString().matches("[1-9][0-9]*");
        assertThat(read(Path.of("k8s/base/deployment.yaml"))).contains("runAsUser: " + user.get(0) + "\n");
    }

    @ParameterizedTest
    @MethodSource("images")
    void thePortIsTheProgramsOwn(Image image) {
        assertThat(image.of("EXPOSE")).containsExactly(properties().getProperty("quarkus.http.port"));
    }

    @ParameterizedTest
    @MethodSource("images")
    void noShellStandsBetweenASignalAndTheProgram(Image image) {
        assertThat(image.of("ENTRYPOINT")).hasSize(1).first().asString().startsWith("[\"");
        assertThat(image.of("CMD")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("images")
    void theProgramIsWhereTheEntryPointLooksForIt(Image image) {
        var entry = image.of("ENTRYPOINT").get(0);

        assertThat(entry).contains(image.copied().getFirst());
    }

    /** So that commands can be typed in a running container. */
    @ParameterizedTest
    @MethodSource("images")
    void theProgramIsOnThePathUnderItsOwnNameForEveryone(Image image) {
        assertThat(image.of("COPY").getLast()).contains("--chmod=755").endsWith(" /usr/local/bin/holdfast");
    }

    @Test
    void theLauncherFindsTheProgramOfTheJvmBesideItself() {
        var image = image(FOLDER.resolve("Dockerfile.jvm"));

        assertThat(image.copied()).containsExactly("/usr/local/lib/holdfast", "/usr/local/bin/holdfast");
        assertThat(read(Path.of("src/main/sh/holdfast"))).contains("lib=${here%/bin/*}/lib/holdfast\n");
    }

    @ParameterizedTest
    @MethodSource("images")
    void everyVariableIsASetting(Image image) {
        var settings = Setting.all().stream().map(Setting::environment).toList();

        assertThat(image.of("ENV")).isNotEmpty().allSatisfy(variable -> assertThat(settings)
                .contains(variable.split("=")[0]));
    }

    @ParameterizedTest
    @MethodSource("images")
    void whatIsCopiedFromTheProjectIsNotIgnored(Image image) {
        var kept = read(Path.of(".dockerignore"))
                .lines()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();

        assertThat(image.all().stream().filter(instruction -> instruction.name().equals("COPY")))
                .map(Instruction::arguments)
                .filteredOn(copy -> !copy.contains("--from="))
                .map(copy -> sources(copy).get(0))
                .allSatisfy(source -> assertThat(kept).anyMatch(path -> (source + "/").startsWith(path + "/")));
    }

    private static List<String> sources(String copy) {
        var words = Arrays.stream(copy.split("\\s+"))
                .filter(word -> !word.startsWith("--"))
                .toList();
        return words.subList(0, words.size() - 1);
    }

    static List<Image> images() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().map(ImagesTest::image).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Image image(Path file) {
        var lines = JOINED.matcher(read(file)).replaceAll("").lines();
        return new Image(
                file,
                lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .map(Instruction::of)
                        .toList());
    }

    private static Properties properties() {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(Path.of("src/main/resources/application.properties"))) {
            properties.load(reader);
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

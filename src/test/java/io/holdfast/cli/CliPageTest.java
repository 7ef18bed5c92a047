package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.output.Exit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages say of the command line is what there is. */
class CliPageTest {
    private static final Path PAGE = Path.of("docs/cli.md");

    /** A command in a block of shell lines: from its name to where the shell takes over again. */
    private static final Pattern BLOCK = Pattern.compile("(?s)```sh\\n(.*?)```");

    private static final Pattern TYPED = Pattern.compile("(?m)(?:^|\\$\\(|-- | {4})holdfast ([^|)\\n]+)");
    private static final Pattern WORD = Pattern.compile("'[^']*'|\"[^\"]*\"|[^\\s'\"]+");

    @Test
    void everyCommandOnThePagesCanBeTyped() throws IOException {
        var typed = pages().flatMap(CliPageTest::commands).toList();

        assertThat(typed).hasSizeGreaterThan(20);
        assertThat(typed).allSatisfy(words -> assertThatCode(
                        () -> Commands.all().getFirst().line().parseArgs(words))
                .as(String.join(" ", words))
                .doesNotThrowAnyException());
    }

    /** Where no shell reads them, they look another way. */
    @Test
    void soCanThoseOfCronOfCiAndOfTheJob() throws IOException {
        var page = read(PAGE);
        var cron = group("\\* (holdfast exec [^|\\n]+)", page);
        var ci = group("holdfast\" (exec [^'\\n]+)'", page);
        var listed = "[" + group("command: \\[\"holdfast\", (.*)\\]", page) + "]";
        var job = new ObjectMapper().readValue(listed, String[].class);

        for (var words : List.of(words(cron.substring("holdfast ".length())), words(ci), with(job, "/app/report"))) {
            assertThatCode(() -> Commands.all().getFirst().line().parseArgs(words))
                    .as(String.join(" ", words))
                    .doesNotThrowAnyException();
        }
    }

    private static String[] with(String[] words, String last) {
        return Stream.concat(Stream.of(words), Stream.of(last)).toArray(String[]::new);
    }

    private static String group(String pattern, String text) {
        var found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }

    @Test
    void everyCommandIsShownOnThePage() {
        var shown = commands(PAGE)
                .map(words -> "holdfast " + String.join(" ", words) + " ")
                .toList();

        assertThat(Commands.all())
                .allSatisfy(command ->
                        assertThat(shown).as(command.toString()).anyMatch(line -> line.startsWith(command + " ")));
    }

    @Test
    void everyExitCodeIsExplained() throws IllegalAccessException {
        for (var code : Arrays.stream(Exit.class.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == int.class)
                .toList()) {
            var number = code.getInt(null) == Exit.SIGNALLED ? "128+n" : "" + code.getInt(null);
            assertThat(read(PAGE)).contains("\n| " + number + " | ");
        }
    }

    private static Stream<String[]> commands(Path page) {
        return BLOCK.matcher(read(page))
                .results()
                .flatMap(block -> TYPED.matcher(block.group(1)).results())
                .map(match -> words(match.group(1)));
    }

    private static String[] words(String line) {
        var words = new ArrayList<String>();
        WORD.matcher(line).results().forEach(word -> words.add(word.group().replaceAll("^['\"]|['\"]$", "")));
        return words.toArray(String[]::new);
    }

    private static Stream<Path> pages() throws IOException {
        try (var files = Files.walk(Path.of("docs"))) {
            var all = new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(".md")).toList());
            all.addAll(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")));
            return all.stream();
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

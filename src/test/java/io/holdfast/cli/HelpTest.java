package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each command says of itself, and what it says to those who mistype it. */
class HelpTest {
    private static final int LINES_MAX = 24;

    /** The list of all commands grows with them. */
    private static final int LINES_MAX_OF_ALL = 30;

    private static final int COLUMNS_MAX = 80;

    private final Shell shell = new ShellInProcess(CliEnvironment.Terminals.NONE);

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @MethodSource("commands")
    @interface EveryCommand {}

    static List<Commands.Known> commands() {
        return Commands.all();
    }

    @Test
    void allCommandsAreFound() {
        assertThat(commands())
                .extracting(Object::toString)
                .contains("holdfast", "holdfast locks", "holdfast locks acquire", "holdfast exec");
    }

    @EveryCommand
    void helpIsAResultAndFitsASmallScreen(Commands.Known command) {
        var result = shell.run(Map.of(), "", command.typed("--help"));

        assertThat(result.exit()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines())
                .hasSizeLessThanOrEqualTo(command.words().isEmpty() ? LINES_MAX_OF_ALL : LINES_MAX)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS_MAX));
    }

    @EveryCommand
    void helpEndsWithAnExampleOfThisVeryCommand(Commands.Known command) {
        assertThat(command.help()).contains("\n\nExample:\n  ");
        assertThat(command.examples().getLast() + " ").contains(command + " ");
    }

    @EveryCommand
    void theDescriptionIsSentences(Commands.Known command) {
        var description = command.line().getCommandSpec().usageMessage().description();

        assertThat(description).isNotEmpty();
        assertThat(String.join(" ", description)).matches("[A-Z].*\\.");
    }

    @EveryCommand
    void everyOptionAndParameterSaysWhatItIsForAndNamesItsValue(Commands.Known command) {
        for (var argument : command.line().getCommandSpec().args()) {
            assertThat(argument.description()).as(argument.toString()).isNotEmpty();
            assertThat(String.join(" ", argument.description()))
                    .as(argument.toString())
                    .isNotBlank()
                    .doesNotEndWith(".");
            if (argument.arity().max() > 0 || argument.isPositional()) {
                assertThat(argument.paramLabel()).as(argument.toString()).matches("[A-Z][A-Z_=]*");
            }
        }
    }

    @EveryCommand
    void aDefaultIsNamed(Commands.Known command) {
        assertThat(command.line().getCommandSpec().options())
                .filteredOn(option -> option.defaultValue() != null)
                .allSatisfy(option ->
                        assertThat(String.join(" ", option.description())).contains(option.defaultValue()));
    }

    @EveryCommand
    void whatIsItsOwnComesBeforeWhatAllHave(Commands.Known command) {
        var options = command.line().getCommandSpec().options();
        var help = command.help();

        assertThat(options)
                .filteredOn(option -> !option.inherited() && !option.versionHelp())
                .filteredOn(option -> !command.words().isEmpty())
                .allSatisfy(own ->
                        assertThat(help.indexOf(" " + own.longestName())).isBetween(0, help.indexOf(" --server=")));
    }

    @EveryCommand
    void anUnknownOptionIsOneSentenceWithAHint(Commands.Known command) {
        var result = shell.run(Map.of(), "", command.typed("--no-such-option"));

        assertThat(CliCalls.refused(Exit.USAGE, result)).endsWith(". Try '" + command + " --help'.\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
            lock                   | There is no command 'lock'; did you mean locks? Try 'holdfast --help'.
            zzz                    | There is no command 'zzz'. Try 'holdfast --help'.
            locks lst              | There is no command 'lst'; did you mean list? Try 'holdfast locks --help'.
            locks lsit             | There is no command 'lsit'; did you mean list? Try 'holdfast locks --help'.
            bogus                  | There is no command 'bogus'. Try 'holdfast --help'.
            locks acquire a -- --owner | Unexpected argument '--owner'. Try 'holdfast locks acquire --help'.
            locks list --prefx a   | There is no option '--prefx'; did you mean --prefix? Try 'holdfast locks list --help'.
            locks acquire a b      | Unexpected argument 'b'. Try 'holdfast locks acquire --help'.
            locks list -o xml      | Invalid value for option '--output': 'xml' is not table or json or plain. Try 'holdfast locks list --help'.
            completion fish        | Invalid value for positional parameter at index 0 (SHELL): 'fish' is not bash or zsh. Try 'holdfast completion --help'.
            locks list --filter a  | Value for option '--filter' (FIELD=VALUE) should be in KEY=VALUE format but was a. Try 'holdfast locks list --help'.
            exec                   | Missing required options and parameters: '--lock=NAME', 'COMMAND'. Try 'holdfast exec --help'.
            """)
    void whoMistypesIsToldWhatIsWrong(String typed, String sentence) {
        var result = shell.run(Map.of(), "", typed.split(" "));

        assertThat(CliCalls.refused(Exit.USAGE, result)).isEqualTo("holdfast: " + sentence + "\n");
    }

    /** Some ask for help before they say with what. */
    @Test
    void helpMayComeFirst() {
        for (var words : List.of("", " locks", " locks acquire", " exec")) {
            assertThat(shell.run(Map.of(), "", ("help" + words).split(" ")))
                    .isEqualTo(
                            shell.run(Map.of(), "", (words + " --help").strip().split(" ")));
        }
    }
}

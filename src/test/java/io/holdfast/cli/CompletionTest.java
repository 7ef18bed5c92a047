package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real shells complete our words. */
class CompletionTest {
    /** Each line of its input is a command line; its last word, which may be empty, is completed. */
    private static final String BASH_DRIVER =
            """
            source "$1" || exit 1
            function=$(complete -p holdfast | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            while IFS= read -r COMP_LINE; do
                IFS=' ' read -ra COMP_WORDS <<<"$COMP_LINE"
                [[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                COMP_POINT=${#COMP_LINE}
                COMPREPLY=()
                "$function" 2>/dev/null
                echo "${COMPREPLY[*]}"
            done
            """;

    /** Types into an interactive zsh, where the completed words become the arguments of a function. */
    private static final String ZSH_DRIVER =
            """
            zmodload zsh/zpty
            zpty -b shell "TERM=dumb zsh -f -i"
            zpty -w shell "PS1=; source $1; holdfast() { print -r -- GOT: \\"\\$@\\" END }; echo REA''DY"
            zpty -r -m shell output '*READY*'
            zpty -w -n shell $'holdfast locks acq\\tdeploy --ow\\tada -o js\\t\\n'
            zpty -r -m shell output '*GOT:*END*'
            print -r -- "$output"
            zpty -d shell
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeScripts() throws IOException {
        for (var shell : List.of("bash", "zsh")) {
            var result = new ShellInProcess(World.Terminals.NONE).run(Map.of(), "", "completion", shell);
            assertThat(result.exit()).isZero();
            Files.writeString(folder.resolve(shell), result.out());
        }
    }

    @Test
    void bashAcceptsTheScript() throws Exception {
        assertThat(run("", "bash", "-n", "./bash")).isEmpty();
    }

    @Test
    void bashCompletesTheCommandsBelowEveryCommand() throws Exception {
        var groups = Commands.all().stream()
                .filter(command -> !command.line().getSubcommands().isEmpty())
                .toList();
        var completed = complete(groups.stream().map(group -> group + " ").toList());

        assertThat(groups).hasSizeGreaterThan(1);
        for (var group : groups) {
            assertThat(completed.get(group + " ").split(" "))
                    .containsExactlyInAnyOrderElementsOf(
                            group.line().getSubcommands().keySet());
        }
    }

    @Test
    void bashCompletesTheOptionsOfEveryCommand() throws Exception {
        var commands = Commands.all();
        var completed =
                complete(commands.stream().map(command -> command + " --").toList());

        for (var command : commands) {
            var options = command.line().getCommandSpec().options().stream()
                    .map(option -> option.longestName())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(completed.get(command + " --").split(" "))
                    .as(command.toString())
                    .containsExactlyInAnyOrderElementsOf(options);
        }
    }

    @Test
    void bashCompletesWordsThatAreKnown() throws Exception {
        assertThat(complete(List.of("holdfast lo", "holdfast locks list -o ", "holdfast completion ")))
                .containsEntry("holdfast lo", "locks")
                .containsEntry("holdfast locks list -o ", "table json plain")
                .containsEntry("holdfast completion ", "bash zsh");
    }

    @Test
    void zshCompletesCommandsOptionsAndValues() throws Exception {
        assumeTrue(isThere("zsh"), "there is no zsh here");
        Files.writeString(folder.resolve("driver"), ZSH_DRIVER);

        assertThat(run("", "zsh", "-f", "driver", "./zsh"))
                .contains("GOT: locks acquire deploy --owner ada -o json END");
    }

    private Map<String, String> complete(List<String> lines) throws Exception {
        Files.writeString(folder.resolve("driver"), BASH_DRIVER);
        var replies = run(String.join("\n", lines) + "\n", "bash", "--norc", "driver", "./bash")
                .lines()
                .toList();
        assertThat(replies).hasSameSizeAs(lines);
        return lines.stream().collect(Collectors.toMap(line -> line, line -> replies.get(lines.indexOf(line))));
    }

    private String run(String input, String... command) throws IOException, InterruptedException {
        var typed = Files.writeString(folder.resolve("input"), input);
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(typed.toFile());
        builder.environment().put("HOME", folder.toString());
        var process = builder.start();
        try {
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    static boolean isThere(String program) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}

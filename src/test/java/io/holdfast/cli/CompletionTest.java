package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real shells complete our words. */
@Slow
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

    /** Types $2 into an interactive zsh, where the completed words become the arguments of a program. */
    private static final String ZSH_DRIVER =
            """
            zmodload zsh/zpty
            zpty -b shell "TERM=dumb zsh -f -i"
            zpty -w shell "PS1=; source $1; echo REA''DY"
            zpty -r -m shell output '*READY*'
            zpty -w -n shell "$2"
            zpty -r -m shell output '*GOT:*END*'
            print -r -- "$output"
            zpty -d shell
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeScripts() throws IOException {
        for (var shell : List.of("bash", "zsh")) {
            var result = new ShellInProcess(CliEnvironment.Terminals.NONE).run(Map.of(), "", "completion", shell);
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

    /** bash replaces what follows the last colon, so only that is offered. */
    @Test
    void bashCompletesTheNamesOfLocks() throws Exception {
        writeProgram("printf 'terraform-prod\\tada\\ndb.example:5432\\tbob\\n' | grep \"^$prefix\"");

        assertThat(complete(List.of(
                        "holdfast locks status ",
                        "holdfast -o json locks release terra",
                        "holdfast exec --wait 5m --lock db.example:5",
                        "holdfast exec --lock none",
                        "holdfast exec --lock a -- cat --lock ")))
                .containsEntry("holdfast locks status ", "terraform-prod db.example:5432")
                .containsEntry("holdfast -o json locks release terra", "terraform-prod")
                .containsEntry("holdfast exec --wait 5m --lock db.example:5", "5432")
                .containsEntry("holdfast exec --lock none", "")
                .containsEntry("holdfast exec --lock a -- cat --lock ", "");
    }

    @Test
    void bashCompletesTheNamesOfLocksBehindOptionsAndTheirValues() throws Exception {
        writeProgram("printf 'terraform-prod\\tada\\n' | grep \"^$prefix\"");
        var named = List.of(
                "holdfast locks release --lock-id 5f3e --owner ada ",
                "holdfast locks release --lock-id=5f3e terra",
                "holdfast locks release --force --reason 'it is stuck' ",
                "holdfast locks release --reason=\"it's stuck\" --yes ",
                "holdfast locks -o json renew --ttl 5m te",
                "holdfast exec --grace 5s --lock a --lock ");
        var notNamed = List.of(
                "holdfast locks release --lock-id ",
                "holdfast locks release deploy ",
                "holdfast locks release --owner ada deploy --reason ",
                "holdfast locks list --prefix ",
                "holdfast exec --lock a make --lock ",
                "holdfast exec --grace ");

        assertThat(complete(named).values()).containsOnly("terraform-prod");
        assertThat(complete(notNamed).values()).containsOnly("");
    }

    @Test
    void bashCompletesTheNamesOfServices() throws Exception {
        writeProgram("[ \"$1\" = services ] && printf 'web\\tRUNNING\\nmail\\tIDLE\\n' | grep \"^$prefix\"");
        var named = List.of(
                "holdfast services show w",
                "holdfast services deploy --reason 'release 41' w",
                "holdfast services result --epoch 7 --rolled-back w",
                "holdfast services set w",
                "holdfast services history -o json w",
                "holdfast services watch w");

        assertThat(complete(named).values()).containsOnly("web");
        assertThat(complete(List.of("holdfast services put ", "holdfast services deploy web -- ")))
                .containsEntry("holdfast services put ", "web mail")
                .containsEntry("holdfast services deploy web -- ", "");
    }

    /** Otherwise the word behind it would be taken for its value in one command, and not in the other. */
    @Test
    void anOptionTakesAValueInEveryCommandOrInNone() {
        var taking = new TreeMap<String, TreeSet<Boolean>>();
        Commands.all()
                .forEach(command -> command.line().getCommandSpec().options().forEach(option -> List.of(option.names())
                        .forEach(name -> taking.computeIfAbsent(name, any -> new TreeSet<>())
                                .add(option.arity().min() > 0))));

        assertThat(taking)
                .isNotEmpty()
                .allSatisfy((name, takes) -> assertThat(takes).as(name).hasSize(1));
    }

    @Test
    void theServerThatIsTypedIsAskedAndOnlyForAMoment() throws Exception {
        writeProgram("echo \"$HOLDFAST_URL\"; echo \"$*\"");

        assertThat(complete(
                        List.of("holdfast --server http://h:1 locks hold x", "holdfast -s http://h:2 exec --lock ")))
                .containsEntry(
                        "holdfast --server http://h:1 locks hold x",
                        "http://h:1 locks list --prefix x --limit 100 --output plain --timeout 1s")
                .containsEntry(
                        "holdfast -s http://h:2 exec --lock ",
                        "http://h:2 locks list --limit 100 --output plain --timeout 1s");
    }

    @Test
    void aServiceThatDoesNotAnswerIsPassedOverInSilence() throws Exception {
        writeProgram("echo 'holdfast: nobody there' >&2; exit 4");

        assertThat(complete(List.of("holdfast locks status ", "holdfast locks status --ow")))
                .containsEntry("holdfast locks status ", "")
                .containsEntry("holdfast locks status --ow", "");
    }

    /** @param script lists locks; it may use $prefix */
    private void writeProgram(String script) throws IOException {
        var program = Files.writeString(
                folder.resolve("holdfast"),
                "#!/bin/sh\nprefix=; [ \"$3\" != --prefix ] || prefix=$4\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void zshCompletesCommandsOptionsAndValues() throws Exception {
        assertThat(typedIntoZsh("holdfast locks acq\tdeploy --ow\tada -o js\t\n"))
                .contains("GOT: locks acquire deploy --owner ada -o json END");
    }

    @Test
    void zshCompletesTheNamesOfLocksBehindOptions() throws Exception {
        assertThat(typedIntoZsh("holdfast locks release --reason \"it is stuck\" --owner ada ter\t\n"))
                .contains("GOT: locks release --reason it is stuck --owner ada terraform-prod END");
    }

    private String typedIntoZsh(String line) throws Exception {
        assumeTrue(isThere("zsh"), "there is no zsh here");
        writeProgram("[ \"$2\" = list ] && printf 'terraform-prod\\tada\\n' || echo \"GOT: $* END\"");
        Files.writeString(folder.resolve("driver"), ZSH_DRIVER);
        return run("", "zsh", "-f", "driver", "./zsh", line);
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
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
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

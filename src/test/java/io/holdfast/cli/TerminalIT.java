package io.holdfast.cli;

import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boot.PackagedCommand;
import io.holdfast.cli.output.Exit;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packaged program on a real pseudo-terminal. */
@QuarkusIntegrationTest
class TerminalIT implements CliCalls {
    private static final String ESCAPE = "\u001b";

    private final String name = unique("terminal");

    @Override
    public Shell shell() {
        return new ShellOfProcesses();
    }

    @BeforeEach
    void takeTheLock() {
        assumeTrue(CompletionTest.isThere("script"), "there is no script (util-linux) here");
        good("locks", "acquire", name, "--owner", "ada");
    }

    /** What the terminal shows: what is typed as well as what is written, on stdout or stderr. */
    private static Shell.Result atATerminal(Map<String, String> variables, String typed, String words) {
        var environment = new HashMap<>(Map.of("HOLDFAST_URL", CliCalls.server(), "TERM", "xterm"));
        environment.putAll(variables);
        return typed(environment, typed, PackagedCommand.typed() + " " + words);
    }

    private static Shell.Result typed(Map<String, String> environment, String typed, String line) {
        environment.put("TYPED", line);
        try (var command = PackagedCommand.script(environment, "exec script -qec \"$TYPED\" /dev/null")) {
            command.typing(typed);
            var exit = command.awaitExit();
            return new Shell.Result(exit, command.out(), command.err());
        }
    }

    @Test
    void theTableIsColouredUnlessNobodyWantsThat() {
        var list = "locks list --prefix " + name;

        assertThat(atATerminal(Map.of(), "", list).out()).contains(ESCAPE + "[1mLOCK", ESCAPE + "[32mactive");
        assertThat(atATerminal(Map.of("NO_COLOR", "1"), "", list).out())
                .contains("LOCK", "active")
                .doesNotContain(ESCAPE);
        assertThat(atATerminal(Map.of(), "", list + " | cat").out())
                .contains("LOCK", "active")
                .doesNotContain(ESCAPE);
    }

    /** This line needs more than 80 columns and fewer than 150. */
    @Test
    void theLineOfAWaitIsAsWideAsTheTerminal() {
        var environment = new HashMap<>(Map.of("HOLDFAST_URL", CliCalls.server(), "TERM", "xterm"));
        var line = "stty cols 150 rows 24; exec %s locks acquire %s --wait 5m".formatted(PackagedCommand.typed(), name);
        var waiting = CompletableFuture.supplyAsync(() -> typed(environment, "", line));
        await().atMost(1, TimeUnit.MINUTES)
                .until(() -> json("locks", "status", name).path("waiting").asInt() == 1);
        good("locks", "release", name, "--owner", "ada");

        assertThat(waiting.join().out())
                .contains("holdfast: waiting for '" + name + "', held by ada, lease ends in ", " unless renewed");
    }

    @Test
    void beforeALockIsTakenFromItsHolderThePersonIsAsked() {
        var force = "locks release " + name + " --force --reason stuck";

        var no = atATerminal(Map.of(), "n\n", force);
        assertThat(no.exit()).as(no.toString()).isEqualTo(Exit.FAILED);
        assertThat(no.out()).contains("held by ada", "[y/N]", "Nothing was released.");
        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("active");

        var yes = atATerminal(Map.of(), "y\n", force);
        assertThat(yes.exit()).as(yes.toString()).isZero();
        assertThat(yes.out()).contains("[y/N]", "Took '" + name + "' from ada.");
        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("released");
    }
}

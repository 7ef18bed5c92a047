package io.holdfast.cli;

import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person at a terminal gets that a script does not: colours and questions. */
@OnQuarkus
@QuarkusTest
class TerminalTest implements CliCalls {
    private static final String ESCAPE = "\u001b";
    private static final String OWNER = "build-agent-with-a-long-name@a-host-with-a-long-name";
    private static final CliEnvironment.Terminals PERSON = new CliEnvironment.Terminals(true, true, true);

    @Override
    public Shell shell() {
        return new ShellInProcess(CliEnvironment.Terminals.NONE);
    }

    private static Shell.Result at(
            CliEnvironment.Terminals terminals, Map<String, String> variables, String input, String... words) {
        var environment = new HashMap<>(Map.of("HOLDFAST_URL", CliCalls.server()));
        environment.putAll(variables);
        return new ShellInProcess(terminals).run(environment, input, words);
    }

    @Test
    void aPersonSeesColours() {
        var name = unique("painted");
        good("locks", "acquire", name, "--owner", "ada");

        assertThat(at(PERSON, Map.of(), "", "locks", "list", "--prefix", name).out())
                .contains(ESCAPE + "[1mLOCK")
                .contains(ESCAPE + "[32mactive");
        assertThat(at(PERSON, Map.of(), "", "locks", "status", name).out()).contains(ESCAPE);
    }

    @ParameterizedTest
    @CsvSource({
        "true,NO_COLOR,1,table",
        "true,TERM,dumb,table",
        "false,TERM,xterm,table",
        "true,TERM,xterm,json",
        "true,TERM,xterm,plain"
    })
    void nobodyElseDoes(boolean terminal, String variable, String value, String form) {
        var name = unique("plain");
        good("locks", "acquire", name, "--owner", "ada");
        var out = new CliEnvironment.Terminals(true, terminal, true);

        var listed = at(out, Map.of(variable, value), "", "locks", "list", "--prefix", name, "-o", form);

        assertThat(listed.out()).contains(name).doesNotContain(ESCAPE);
    }

    @Test
    void colouredOrNotTheWordsAreTheSame() {
        var name = unique("same");
        good("locks", "acquire", name, "--owner", "ada", "--ttl", "1d");

        var painted =
                at(PERSON, Map.of(), "", "locks", "status", name, "-o", "table").out();

        assertThat(painted.replaceAll(ESCAPE + "\\[\\d+m", "").lines().filter(line -> !line.startsWith("remaining")))
                .isEqualTo(good("locks", "status", name)
                        .lines()
                        .filter(line -> !line.startsWith("remaining"))
                        .toList());
    }

    @Test
    void aPersonIsToldThatAListIsEmpty() {
        var none = new String[] {"locks", "list", "--prefix", unique("none")};

        assertThat(at(PERSON, Map.of(), "", none)).isEqualTo(new Shell.Result(0, "", "holdfast: None found.\n"));
        assertThat(at(CliEnvironment.Terminals.NONE, Map.of(), "", none)).isEqualTo(new Shell.Result(0, "", ""));
    }

    @Test
    void whoSaysNoTakesNothingAway() {
        var name = unique("asked");
        good("locks", "acquire", name, "--owner", "ada", "--email", "ada@example.com", "--metadata", "host=ci-7");

        var result = at(PERSON, Map.of(), "n\n", "locks", "release", name, "--force", "--reason", "stuck");

        assertThat(result.exit()).isEqualTo(Exit.FAILED);
        assertThat(result.err())
                .startsWith("Lock '" + name + "' is held by ada\n  host=ci-7 email=ada@example.com\n  since ")
                .contains("[y/N] ")
                .endsWith("holdfast: Nothing was released.\n");
        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("active");
    }

    @Test
    void silenceIsANo() {
        var name = unique("asked");
        good("locks", "acquire", name, "--owner", "ada");

        var result = at(PERSON, Map.of(), "", "locks", "release", name, "--force", "--reason", "stuck");

        assertThat(result.exit()).isEqualTo(Exit.FAILED);
        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("active");
    }

    @Test
    void whoSaysYesTakesItAway() {
        var name = unique("asked");
        good("locks", "acquire", name, "--owner", "ada");

        var result = at(PERSON, Map.of(), "y\n", "locks", "release", name, "--force", "--reason", "stuck");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.out()).isEqualTo("Took '" + name + "' from ada.\n");
        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("released");
    }

    @Test
    void whoSaysSoBeforehandIsNotAsked() {
        var name = unique("asked");
        good("locks", "acquire", name, "--owner", "ada");

        var result = at(PERSON, Map.of(), "", "locks", "release", name, "--force", "--reason", "stuck", "--yes");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.err()).isEmpty();
    }

    @Test
    void whoCannotBeAskedTakesNothingAway() {
        var name = unique("asked");
        good("locks", "acquire", name, "--owner", "ada");
        var unseen = new CliEnvironment.Terminals(true, true, false);

        var result = at(unseen, Map.of(), "y\n", "locks", "release", name, "--force", "--reason", "stuck");

        assertThat(result.exit()).isEqualTo(Exit.USAGE);
        assertThat(result.err()).endsWith(" Use --yes.\n");
        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("active");
    }

    @Test
    void theLineOfAWaitIsAsWideAsTheTerminal() {
        var name = unique("a-lock-with-a-rather-long-name");
        good("locks", "acquire", name, "--owner", OWNER);

        var line = firstRewritten(waitAt("200", name));

        assertThat(line)
                .matches("holdfast: waiting for '%s', held by %s, lease ends in 29m\\d\\ds unless renewed"
                        .formatted(name, OWNER));
    }

    /** Half of a line that was wrapped could not be rewritten. */
    @Test
    void namesThatDoNotFitGetALineOfTheirOwnAndAreNotCut() {
        var name = unique("a-lock-with-a-rather-long-name");
        good("locks", "acquire", name, "--owner", OWNER);

        var told = waitAt("60", name);

        assertThat(told).startsWith("holdfast: waiting for '%s', held by %s\n".formatted(name, OWNER));
        assertThat(told).containsOnlyOnce(OWNER + "\n");
        assertThat(firstRewritten(told)).matches("holdfast: lease ends in 29m\\d\\ds unless renewed");
    }

    @Test
    void aTerminalOfUnknownWidthHasEightyColumns() {
        var name = unique("a-lock-with-a-rather-long-name");
        good("locks", "acquire", name, "--owner", OWNER);

        assertThat(firstRewritten(waitAt("", name))).hasSizeLessThan(80).startsWith("holdfast: lease ends in ");
    }

    /** What is said on stderr from the beginning of a wait to its end. */
    private String waitAt(String columns, String name) {
        return waitWith(Map.of("COLUMNS", columns), name);
    }

    private String waitWith(Map<String, String> variables, String name) {
        var waiting = CompletableFuture.supplyAsync(
                () -> at(PERSON, variables, "", "locks", "acquire", name, "--owner", "next", "--wait", "5m"));
        await().atMost(1, TimeUnit.MINUTES)
                .until(() -> json("locks", "status", name).path("waiting").asInt() == 1);
        good("locks", "release", name, "--owner", OWNER);
        var result = waiting.join();
        assertThat(result.exit()).as(result.toString()).isZero();
        return result.err();
    }

    private static String firstRewritten(String told) {
        var begin = "\r" + ESCAPE + "[K" + ESCAPE + "[?7l";
        assertThat(told).contains(begin);
        var from = told.indexOf(begin) + begin.length();
        return told.substring(from, told.indexOf(ESCAPE + "[?7h", from));
    }

    @Test
    void aTerminalThatCannotRewriteGetsWholeLines() {
        var name = unique("dumb");
        good("locks", "acquire", name, "--owner", OWNER);

        assertThat(waitWith(Map.of("TERM", "dumb"), name))
                .startsWith("holdfast: waiting for '" + name)
                .doesNotContain(ESCAPE);
    }

    @Test
    void aScriptIsNotAsked() {
        var name = unique("asked");
        good("locks", "acquire", name, "--owner", "ada");

        assertThat(good("locks", "release", name, "--force", "--reason", "stuck"))
                .startsWith("Took ");
    }
}

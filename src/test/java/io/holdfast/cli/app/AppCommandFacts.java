package io.holdfast.cli.app;

import static io.holdfast.cli.CliCalls.parsed;
import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.RegisteredThings;
import org.junit.jupiter.api.Test;

/** Registering apps, and saying that they go down or come up. */
public interface AppCommandFacts extends CliCalls {
    @Test
    default void anAppIsRegisteredReplacedListedAndForgotten() {
        var database = RegisteredThings.database();
        var app = unique("billing");

        assertThat(good("apps", "put", app, "--url", "http://billing.example/", "--database", database))
                .containsPattern("(?m)^name +" + app + "$")
                .containsPattern("(?m)^databases +" + database + "$");
        assertThat(good("apps", "list"))
                .startsWith("NAME ")
                .containsPattern("(?m)^" + app + " +http-200 +http://billing.example/ +" + database + "$");
        assertThat(json("apps", "list").findValuesAsText("name")).contains(app);
        assertThat(good("apps", "show", app))
                .containsPattern("(?m)^url +http://billing.example/$")
                .containsPattern("(?m)^databases +" + database + "$");
        assertThat(good("apps", "list", "-o", "plain"))
                .containsPattern("(?m)^" + app + "\thttp-200\thttp://billing.example/\t" + database + "$");

        var replaced = holdfastReading(
                "{\"probe\": \"http-cautious\", \"databases\": []}", "apps", "put", app, "--file", "-", "-o", "json");
        assertThat(replaced.exit()).as(replaced.toString()).isZero();
        assertThat(parsed(replaced.out()).path("probe").asText()).isEqualTo("http-cautious");
        assertThat(parsed(replaced.out()).path("databases")).isEmpty();

        var shown = json("apps", "show", app);
        assertThat(shown).isEqualTo(parsed(replaced.out()));

        assertThat(good("apps", "rm", app)).isEqualTo("Removed '" + app + "'.\n");
        assertThat(refused(1, "apps", "show", app)).contains(app);
        assertThat(json("apps", "rm", RegisteredThings.app("other"))
                        .path("removed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    default void anAppThatIsRefusedLeavesNothingBehind() {
        var app = unique("billing");

        assertThat(refused(2, "apps", "put", app, "--database", "i-0123456789abcdef"))
                .contains("i-0123456789abcdef");
        assertThat(refused(1, "apps", "rm", app)).contains(app);
    }

    @Test
    default void aDatabaseStaysUpForOthersAndStopsWithTheLast() {
        var database = RegisteredThings.database();
        var billing = RegisteredThings.app("billing", database);
        var reports = RegisteredThings.app("reports", database);

        var skipped = holdfast("apps", "stop", billing, "-o", "json");
        assertThat(skipped.exit()).as(skipped.toString()).isEqualTo(3);
        assertThat(parsed(skipped.out()).at("/results/0/decision").asText()).isEqualTo("SKIPPED_UNKNOWN");
        assertThat(skipped.err())
                .startsWith("holdfast: Database '" + database + "' stays up: SKIPPED_UNKNOWN, ")
                .contains(reports)
                .containsOnlyOnce("\n");

        RegisteredThings.removeApp(reports);
        assertThat(good("apps", "stop", billing, "--dry-run"))
                .startsWith("DATABASE ")
                .containsPattern("(?m)^" + database + " +(WOULD_STOP|ALREADY_STOPPED) .*$");
        assertThat(json("apps", "stop", billing).at("/results/0/decision").asText())
                .isIn("STOPPED", "STOPPING", "ALREADY_STOPPED");
    }

    @Test
    default void aStartSaysThatTheDatabasesAreThere() {
        var database = RegisteredThings.database();
        var app = RegisteredThings.app("billing", database);

        assertThat(good("apps", "start", app))
                .startsWith("DATABASE ")
                .containsPattern("(?m)^" + database + " +(RUNNING|STARTED) .*$");
        assertThat(json("apps", "start", app).path("ready").asBoolean()).isTrue();
        assertThat(refused(1, "apps", "start", unique("nobody"))).contains("nobody");
    }
}

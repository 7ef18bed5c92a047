package io.holdfast.cli.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a stop and a start end, for every decision that there is and some that there are not yet. */
class PowerResultsTest {
    private final OddServer service = new OddServer();

    @AfterEach
    void close() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "STOPPED, 0",
        "STOPPING, 0",
        "ALREADY_STOPPED, 0",
        "WOULD_STOP, 0",
        "STOPPED STOPPING ALREADY_STOPPED WOULD_STOP, 0",
        "SKIPPED_SHARED_ACTIVE, 3",
        "SKIPPED_UNKNOWN, 3",
        "SKIPPED_LOCK, 3",
        "SKIPPED_DISABLED, 3",
        "SKIPPED_CHANGED, 3",
        "STOPPED SKIPPED_LOCK, 3",
        "STOP_FAILED, 1",
        "STOP_STUCK, 1",
        "SKIPPED_LOCK STOP_FAILED, 1",
        "STOP_STUCK SKIPPED_LOCK STOPPED, 1",
        "NEVER_HEARD_OF, 1",
    })
    void aStopEndsAsItsWorstDecision(String decisions, int exit) {
        service.answering("/v1/apps/billing/stop", "{\"app\":\"billing\",\"results\":" + results(decisions) + "}");

        assertEnds(exit, run("apps", "stop", "billing", "-o", "plain"));
    }

    @ParameterizedTest
    @CsvSource({
        "true, '', 0",
        "true, RUNNING STARTED, 0",
        "false, STARTING, 4",
        "false, RUNNING STARTING, 4",
        "false, NEVER_HEARD_OF, 4",
        "false, START_FAILED, 1",
        "false, STARTING STOP_STUCK, 1",
        "false, SKIPPED_LOCK, 3",
        "false, SKIPPED_LOCK START_FAILED, 1",
    })
    void aStartEndsWellOnlyWhenAllIsReady(boolean ready, String decisions, int exit) {
        service.answering(
                "/v1/apps/billing/start",
                "{\"app\":\"billing\",\"ready\":%s,\"results\":%s}".formatted(ready, results(decisions)));

        assertEnds(exit, run("apps", "start", "billing", "-o", "plain"));
    }

    @Test
    void theResultIsShownAlsoWhenItIsNotWhatWasWished() {
        service.answering(
                "/v1/apps/billing/start",
                "{\"app\":\"billing\",\"ready\":false,\"results\":" + results("RUNNING STARTING") + "}");

        var result = run("apps", "start", "billing");

        assertThat(result.out())
                .isEqualTo(
                        """
                        DATABASE  DECISION  TOOK  REASON
                        i-0       RUNNING   41ms  so it is
                        i-1       STARTING  41ms  so it is
                        """);
        assertThat(result.err())
                .isEqualTo(
                        "holdfast: 'billing' is not ready yet: database 'i-1' is STARTING, so it is. Retry later.\n");
    }

    @Test
    void theReasonOfTheWorstIsSaid() {
        service.answering(
                "/v1/apps/billing/stop",
                "{\"app\":\"billing\",\"results\":" + results("SKIPPED_LOCK STOP_FAILED") + "}");

        assertThat(run("apps", "stop", "billing").err())
                .isEqualTo("holdfast: Database 'i-1' was not stopped: STOP_FAILED, so it is.\n");
    }

    @Test
    void anAppWithoutDatabasesIsStoppedAtOnce() {
        service.answering("/v1/apps/billing/stop", "{\"app\":\"billing\",\"dry_run\":true,\"results\":[]}");

        assertThat(run("apps", "stop", "billing", "--dry-run"))
                .isEqualTo(new Shell.Result(0, "'billing' uses no databases.\n", ""));
        assertThat(service.asked())
                .containsExactly(new OddServer.Asked("POST", "/v1/apps/billing/stop?dry_run=true", ""));
    }

    private Shell.Result run(String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE).run(Map.of("HOLDFAST_URL", service.url()), "", words);
    }

    private static void assertEnds(int exit, Shell.Result result) {
        assertThat(result.exit()).as(result.toString()).isEqualTo(exit);
        assertThat(result.err().lines()).hasSize(exit == 0 ? 0 : 1);
    }

    private static String results(String decisions) {
        var words = Arrays.stream(decisions.split(" "))
                .filter(word -> !word.isEmpty())
                .toList();
        return words.stream()
                .map(word -> "{\"database\":\"i-%d\",\"decision\":\"%s\",\"reason\":\"so it is\",\"took_ms\":41}"
                        .formatted(words.indexOf(word), word))
                .collect(Collectors.joining(",", "[", "]"));
    }
}

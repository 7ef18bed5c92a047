package io.holdfast.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands name the token of the lease that they renew or release, as far as it is known. */
class FencingTokenTest {
    private static final String LOCK =
            """
            {"name":"a","lock_id":"id","owner":"ada","fencing_token":7,"status":"active","remaining_ms":60000}""";

    private final OddServer service = new OddServer()
            .answering("/v1/locks/a", LOCK)
            .answering("/v1/locks/a/renew", LOCK)
            .answering("/v1/locks/a?lock_id", "{\"released\":true}");

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void theTokenThatWasLookedUpIsNamed() {
        run("locks", "renew", "a", "--owner", "ada", "--ttl", "10m");
        assertThat(last())
                .isEqualTo(new OddServer.Asked(
                        "POST",
                        "/v1/locks/a/renew",
                        "{\"lock_id\":\"id\",\"owner\":\"ada\",\"ttl\":\"600000ms\",\"fencing_token\":7}"));

        run("locks", "release", "a", "--lock-id", "id");
        assertThat(last())
                .isEqualTo(new OddServer.Asked("DELETE", "/v1/locks/a?lock_id=id&owner=ada&fencing_token=7", ""));
    }

    @Test
    void theTokenThatWasTypedIsNamedAlsoIfAnotherWasFound() {
        run("locks", "release", "a", "--owner", "ada", "--fencing-token", "6");

        assertThat(last().target()).isEqualTo("/v1/locks/a?lock_id=id&owner=ada&fencing_token=6");
    }

    /** Then nothing is looked up. */
    @Test
    void aTokenThatIsNotKnownIsLeftOut() {
        run("locks", "release", "a", "--owner", "ada", "--lock-id", "id");
        assertThat(last().target()).isEqualTo("/v1/locks/a?lock_id=id&owner=ada");

        run("locks", "renew", "a", "--owner", "ada", "--lock-id", "id");
        assertThat(last().body()).isEqualTo("{\"lock_id\":\"id\",\"owner\":\"ada\"}");
        assertThat(service.asked()).hasSize(2);
    }

    /** As {@code exec} sets it for its command. */
    @Test
    void insideExecTheLeaseOfTheNamedLockIsMeant() {
        var exec = Map.of("HOLDFAST_LOCK", "a,b", "HOLDFAST_LOCK_ID", "id", "HOLDFAST_FENCING_TOKEN", "6,9");

        run(exec, "locks", "release", "a");
        assertThat(last().target()).isEqualTo("/v1/locks/a?lock_id=id&owner=ada&fencing_token=6");

        run(exec, "locks", "renew", "a", "--lock-id", "id", "--owner", "ada");
        assertThat(last().body()).isEqualTo("{\"lock_id\":\"id\",\"owner\":\"ada\",\"fencing_token\":6}");

        run(exec, "locks", "release", "a", "--fencing-token", "7");
        assertThat(last().target()).isEqualTo("/v1/locks/a?lock_id=id&owner=ada&fencing_token=7");
    }

    /** The token of another lock says nothing about this one. */
    @Test
    void insideExecNothingIsTakenForAnotherLockOrLease() {
        var exec = Map.of("HOLDFAST_LOCK", "b", "HOLDFAST_LOCK_ID", "other", "HOLDFAST_FENCING_TOKEN", "9");
        run(exec, "locks", "release", "a", "--owner", "ada");
        assertThat(last().target()).isEqualTo("/v1/locks/a?lock_id=id&owner=ada&fencing_token=7");
        var unnamed = result(exec, "locks", "release", "a");
        assertThat(unnamed.exit()).isEqualTo(Exit.USAGE);
        assertThat(unnamed.err()).startsWith("holdfast: Name the lease with --owner, --lock-id or HOLDFAST_OWNER");

        var same = Map.of("HOLDFAST_LOCK", "a", "HOLDFAST_LOCK_ID", "other", "HOLDFAST_FENCING_TOKEN", "9");
        run(same, "locks", "release", "a", "--lock-id", "id", "--owner", "ada");
        assertThat(last().target()).isEqualTo("/v1/locks/a?lock_id=id&owner=ada");
        run(same, "locks", "renew", "a", "--owner", "ada");
        assertThat(last().body()).isEqualTo("{\"lock_id\":\"id\",\"owner\":\"ada\",\"fencing_token\":7}");
    }

    @Test
    void aListOfTokensThatDoesNotFitItsLocksIsRefused() {
        for (var tokens : new String[] {"6", "6,seven", ""}) {
            var exec = Map.of("HOLDFAST_LOCK", "b,a", "HOLDFAST_LOCK_ID", "id", "HOLDFAST_FENCING_TOKEN", tokens);

            var refused = result(exec, "locks", "release", "a");

            assertThat(refused.exit()).isEqualTo(Exit.USAGE);
            assertThat(refused.err())
                    .startsWith("holdfast: HOLDFAST_FENCING_TOKEN must be one whole number for each lock");
        }
        assertThat(service.asked()).isEmpty();
    }

    private OddServer.Asked last() {
        return service.asked().getLast();
    }

    private void run(String... words) {
        run(Map.of(), words);
    }

    private void run(Map<String, String> environment, String... words) {
        var result = result(environment, words);
        assertThat(result.exit()).as(result.toString()).isZero();
    }

    private Shell.Result result(Map<String, String> environment, String... words) {
        var complete = new HashMap<>(environment);
        complete.put("HOLDFAST_URL", service.url());
        return new ShellInProcess(CliEnvironment.Terminals.NONE).run(complete, "", words);
    }
}

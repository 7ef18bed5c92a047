package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

    private OddServer.Asked last() {
        return service.asked().getLast();
    }

    private void run(String... words) {
        var result = new ShellInProcess(World.Terminals.NONE).run(Map.of("HOLDFAST_URL", service.url()), "", words);
        assertThat(result.exit()).as(result.toString()).isZero();
    }
}

package io.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.OddServer;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import io.holdfast.suite.Slow;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A lock that was granted and that no connection could hold. */
@Slow
class LocksHoldTest {
    private static final String LOCK =
            """
            {"name":"a","lock_id":"{its lock_id}","owner":"ada","fencing_token":7,"status":"active","ttl_ms":10000,\
            "remaining_ms":10000}""";

    /** A script that begins its work with the first line must not get one; and it has to know at once. */
    @Test
    void whatWasNeverHeldIsToldAsLostAndNotAsTaken() {
        try (var server = new OddServer()
                .answering("/v1/locks/a", 201, OddServer.JSON, LOCK)
                .answering(
                        "/v1/locks/a/hold", 429, OddServer.JSON, "{\"code\":\"queue-full\",\"detail\":\"Too many.\"}")
                .answering("/v1/locks/a?lock_id", 503, OddServer.JSON, "{\"code\":\"store-unavailable\"}")) {
            var result = new ShellInProcess(CliEnvironment.Terminals.NONE)
                    .run(Map.of("HOLDFAST_URL", server.url()), "", "locks", "hold", "a", "--ttl", "10s");

            assertThat(result.exit()).isEqualTo(Exit.LOST);
            assertThat(result.out()).isEmpty();
            assertThat(result.err())
                    .startsWith("holdfast: Too many. Retrying; without an answer, 'a' counts as lost in ")
                    .endsWith("\nholdfast: Lock 'a' was not confirmed in time. Too many.\n");
            assertThat(server.asked())
                    .filteredOn(asked -> asked.method().equals("DELETE"))
                    .hasSize(1);
        }
    }
}

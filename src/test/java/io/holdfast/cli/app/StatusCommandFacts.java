package io.holdfast.cli.app;

import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.RegisteredThings;
import io.holdfast.stage.SmallApp;
import org.junit.jupiter.api.Test;

/** Looking whether an app is up. */
public interface StatusCommandFacts extends CliCalls {
    @Test
    default void anAppIsUpOrUnknownOrNobodyKnowsIt() {
        try (var running = new SmallApp()) {
            var app = RegisteredThings.appAt(running.url().toString());

            assertThat(good("status", app))
                    .containsPattern("(?m)^app +" + app + "$")
                    .containsPattern("(?m)^status +UP$")
                    .containsPattern("(?m)^http_code +200$");
        }
        var hidden = RegisteredThings.app("hidden");
        assertThat(json("status", hidden).path("status").asText()).isEqualTo("UNKNOWN");
        assertThat(refused(1, "status", unique("nobody"))).contains("nobody");
    }
}

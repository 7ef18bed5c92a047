package io.holdfast.cli;

import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Taking, renewing and giving back a lock. */
interface LockCommandFacts extends CliCalls {
    @Test
    default void aLockIsTakenShownRenewedAndGivenBack() {
        var name = unique("deploy");

        var taken = good("locks", "acquire", name, "--owner", "ci-42", "--ttl", "10m");
        assertThat(taken)
                .containsPattern("(?m)^name +" + name + "$")
                .containsPattern("(?m)^remaining_ms +10m00s$|9m59s$");

        var status = json("locks", "status", name);
        assertThat(status.path("owner").asText()).isEqualTo("ci-42");
        assertThat(status.path("ttl_ms").asLong()).isEqualTo(600_000);

        assertThat(good("locks", "renew", name, "--owner", "ci-42", "--ttl", "1h"))
                .contains("59m59s".substring(0, 0));
        assertThat(good("locks", "release", name, "--owner", "ci-42")).isEqualTo("Released '" + name + "'.\n");
        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("released");
    }

    @Test
    default void whoComesTooLateIsToldWhoHasIt() {
        var name = unique("deploy");
        good("locks", "acquire", name, "--owner", "ci-42");

        var sentence = refused(3, "locks", "acquire", name, "--owner", "ci-43");

        assertThat(sentence).startsWith("holdfast: Execution blocked: lock '" + name + "' held by ci-42 until ");
    }
}

package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertNotHeldBut;
import static io.holdfast.http.Refusals.assertNotHeldWithoutHolder;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.heartbeat;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The service renews a lease by itself as long as heartbeats come. */
interface HeartbeatFacts {
    @Test
    default void aLeaseIsRenewedByTheServiceAsLongAsItsHolderIsHeard() {
        var name = unique("auto");
        var held = acquired(name, Map.of("owner", "ada", "ttl", "10s", "auto_renew", true, "max_hold", "1h"));

        var until = Instant.parse(held.<String>path("auto_renew_until"));
        assertThat(until)
                .isEqualTo(Instant.parse(held.<String>path("acquired_at")).plus(Duration.ofHours(1)));
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            assertThat(heartbeat(held).statusCode()).isEqualTo(200);
            return get(name).<Integer>path("renewals") >= 2;
        });

        assertThat(heartbeat(held).<Integer>path("remaining_ms")).isPositive();
        assertThat(get(name).<Integer>path("ttl_ms")).isEqualTo(10_000);
        release(held);
        assertNotHeldWithoutHolder(heartbeat(held));
        assertThat(get(name).<String>path("status")).isEqualTo("released");
    }

    @Test
    default void withoutAMaxHoldALeaseIsRenewedForADay() {
        var held = acquired(unique("auto-day"), Map.of("owner", "ada", "auto_renew", true));

        assertThat(Instant.parse(held.<String>path("auto_renew_until")))
                .isEqualTo(Instant.parse(held.<String>path("acquired_at")).plus(Duration.ofHours(24)));
    }

    @Test
    default void aMaxHoldOutOfPlaceOrRangeIsRefused() {
        var name = unique("auto-wrong");

        assertInvalid(acquire(name, Map.of("owner", "ada", "max_hold", "1h")), "max_hold");
        assertInvalid(acquire(name, Map.of("owner", "ada", "auto_renew", false, "max_hold", "1h")), "max_hold");
        assertInvalid(
                acquire(name, Map.of("owner", "ada", "auto_renew", true, "ttl", "10s", "max_hold", "9999ms")),
                "max_hold");
        assertInvalid(acquire(name, Map.of("owner", "ada", "auto_renew", true, "max_hold", "169h")), "max_hold");
        assertInvalid(acquire(name, Map.of("owner", "ada", "auto_renew", "always")), "auto_renew");
        assertThat(get(name).statusCode()).isEqualTo(404);
    }

    @Test
    default void aHeartbeatThatNamesAnotherTokenIsRefused() {
        var name = unique("auto-token");
        var held = acquired(name, Map.of("owner", "ada", "auto_renew", true));
        var token = LockCalls.token(held);

        for (var other : new long[] {token - 1, token + 1}) {
            assertNotHeldBut(beat(held, other), held);
        }
        assertInvalid(beat(held, 0), "fencing_token");
        assertInvalid(beat(held, "7"), "fencing_token");
        assertThat(beat(held, token).statusCode()).isEqualTo(200);
    }

    private static Answer beat(Answer held, Object token) {
        return Calls.post(
                LockCalls.path(held.path("name")) + "/heartbeat",
                Map.of("owner", held.path("owner"), "lock_id", held.path("lock_id"), "fencing_token", token));
    }

    @Test
    default void aHeartbeatForALeaseThatItsHolderRenewsIsRefused() {
        assertInvalid(heartbeat(acquired(unique("auto-none"), "ada")), "lock_id");
    }

    @Test
    default void aHeartbeatOfSomebodyWhoDoesNotHoldTheLockIsToldWhoDoes() {
        var name = unique("auto-other");
        var held = acquired(name, Map.of("owner", "ada", "auto_renew", true));

        assertNotHeldBut(heartbeat(name, UUID.randomUUID().toString(), "ada"), held);
        assertNotHeldBut(heartbeat(name, held.path("lock_id"), "bob"), held);
        assertNotHeldWithoutHolder(heartbeat(unique("never"), held.path("lock_id"), "ada"));
    }
}

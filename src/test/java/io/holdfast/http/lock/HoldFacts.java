package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.forceRelease;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.path;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import io.restassured.RestAssured;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lock is held as long as a connection lives. */
interface HoldFacts {
    int TICKS_PER_LEASE = 10;

    /** It would take the lock, and nobody could be told. */
    @Test
    default void aHeadHoldsNothing() {
        var name = unique("head");

        Calls.call("HEAD", path(name) + "/hold?owner=ada", null).expect(405);
        assertThat(get(name).statusCode()).isEqualTo(404);
    }

    @Test
    default void aHoldIsRenewedAndTicksAndGivesTheLockBackWhenItIsClosed() {
        var name = unique("hold");
        try (var hold = hold(name, "owner=ada&ttl=6s")) {
            var lock = hold.next("acquired");
            assertThat(hold.status()).isEqualTo(200);
            assertThat(lock.get("owner").asText()).isEqualTo("ada");
            assertThat(lock.get("remaining_ms").asLong()).isEqualTo(6000);

            var tick = hold.next("tick");
            while (tick.get("renewals").asInt() < 2) {
                tick = hold.next("tick");
            }

            assertThat(tick.get("remaining_ms").asLong()).isBetween(1L, 6000L);
            assertThat(tick.get("fencing_token")).isEqualTo(lock.get("fencing_token"));
            assertThat(tick.get("expires_at").asText())
                    .matches(AcquireFacts.MILLIS)
                    .isGreaterThan(lock.get("expires_at").asText());
        }
        awaitReleased(name);
    }

    /** Its present end is not when it will be free, from the first moment on. */
    @Test
    default void aLockThatIsHeldByAConnectionIsShownAsRenewed() {
        var name = unique("hold-shown");
        try (var hold = hold(name, "owner=ada&ttl=60s")) {
            hold.next("acquired");

            assertThat(get(name).<Boolean>path("held_by_connection")).isTrue();
            var refused = acquire(name, "bob");
            assertProblem(refused, 409, "lock-conflict");
            assertThat(refused.<Boolean>path("lock.held_by_connection")).isTrue();
            assertThat(refused.<String>path("detail"))
                    .matches(
                            "Execution blocked: lock '%s' held by ada until \\S+, renewed automatically while its connection lasts"
                                    .formatted(name));
            var waited = acquire(name, Map.of("owner", "bob", "wait", "10ms"));
            assertThat(waited.<String>path("detail")).endsWith(", renewed automatically while its connection lasts");
            assertThat(waited.<Boolean>path("lock.held_by_connection")).isTrue();
        }
        awaitReleased(name);
        assertThat(get(name).<Boolean>path("held_by_connection")).isNull();
    }

    @Test
    default void aLeaseThatAConnectionGoesOnWithIsShownAsRenewedAndOneThatIsTakenFromItIsNot() {
        var name = unique("hold-adopts");
        var held = acquired(name, Map.of("owner", "ada", "ttl", "60s"));
        assertThat(get(name).<Boolean>path("held_by_connection")).isNull();
        try (var hold = hold(name, "owner=ada&ttl=60s&lock_id=" + held.path("lock_id"))) {
            hold.next("acquired");
            assertThat(get(name).<Boolean>path("held_by_connection")).isTrue();

            LockCalls.renew(name, Map.of("owner", "ada", "lock_id", held.path("lock_id")))
                    .expect(200);
            assertThat(get(name).<Boolean>path("held_by_connection")).isNull();
        }
    }

    @Test
    default void aHoldOfAnothersLockIsRefusedWithAnOrdinaryAnswer() {
        var name = unique("hold-taken");
        acquired(name, "bob");

        var refused = refused(name, "owner=ada");

        assertProblem(refused, 409, "lock-conflict");
        assertThat(refused.<String>path("lock.owner")).isEqualTo("bob");
        assertThat(refused.header("Retry-After")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'ttl=1s', owner",
        "'owner=ada&ttl=0s', ttl",
        "'owner=ada&wait=1h', wait",
        "'owner=ada&lock_id=7', lock_id",
        "'owner=ada&ttl=10s&max_hold=5s', max_hold",
        "'owner=ada&max_hold=9999h', max_hold",
        "'owner=ada&ttl=9s&linger=4s', linger",
        "'owner=ada&padding=8k', padding"
    })
    default void whatIsWrongWithAHoldIsNamedAndNothingIsHeld(String query, String field) {
        var name = unique("hold-wrong");

        assertInvalid(refused(name, query), field);

        assertThat(get(name).statusCode()).isEqualTo(404);
    }

    @Test
    default void aHoldStandsInLine() {
        var name = unique("hold-wait");
        var before = acquired(name, "bob");
        var released = new AfterMoment(() -> release(before), () -> waiting(name) == 1);
        try (var hold = hold(name, "owner=ada&ttl=10m&wait=5m")) {
            released.join();
            assertThat(hold.next("acquired").get("owner").asText()).isEqualTo("ada");
        }
        awaitReleased(name);
    }

    @Test
    default void aForceReleaseIsToldAtOnceWithItsReason() {
        var name = unique("hold-forced");
        try (var hold = hold(name, "owner=ada&ttl=10m")) {
            var token = hold.next("acquired").get("fencing_token").asLong();

            forceRelease(name, token, "stuck");

            var lost = hold.next("lost");
            assertThat(lost.get("cause").asText()).isEqualTo("forced");
            assertThat(lost.get("detail").asText()).contains(name, "stuck");
            assertThat(hold.next()).isEqualTo(RawHold.Event.END);
        }
    }

    @Test
    default void aReleaseByItsLockIdIsToldAtOnce() {
        var name = unique("hold-released");
        try (var hold = hold(name, "owner=ada&ttl=10m")) {
            release(name, hold.next("acquired").get("lock_id").asText(), "ada");

            assertThat(hold.next("lost").get("cause").asText()).isEqualTo("released");
        }
    }

    @Test
    default void aHoldEndsAfterItsMaxHold() {
        var name = unique("hold-max");
        try (var hold = hold(name, "owner=ada&ttl=1s&max_hold=1s")) {
            assertThat(hold.next("lost").get("cause").asText()).isEqualTo("max_hold");
        }
        assertThat(acquire(name, "ada").statusCode()).isEqualTo(201);
    }

    @Test
    default void ticksArePaddedOnlyForClientsThatAskForIt() {
        var name = unique("hold-padding");
        try (var hold = hold(name, "owner=ada&ttl=10m")) {
            hold.next("tick");
            hold.next("tick");
            assertThat(hold.commentLength()).isZero();
        }
        awaitReleased(name);
        try (var hold = hold(name, "owner=ada&ttl=10m&padding=true")) {
            hold.next("tick");
            assertThat(hold.commentLength()).isGreaterThan(8000);
        }
    }

    /** Later than with padding: its ticks have to fill what the two ends of the connection buffer. */
    @Test
    default void aClientThatTakesNothingLosesTheLockAlsoWithoutPadding() {
        var name = unique("hold-silent-unpadded");
        try (var hold = silent(name, "owner=ada&ttl=10m")) {
            hold.next("acquired");

            awaitReleased(name);
        }
    }

    /** A lease is as long as ten ticks. Another hold counts them, because on a busy machine each takes longer. */
    @Test
    default void aClientThatTakesNothingAndHasAskedForPaddingLosesTheLockWithinItsLease() {
        var name = unique("hold-silent");
        try (var reading = hold(unique("hold-reading"), "owner=ada&ttl=10m")) {
            reading.next("acquired");
            try (var silent = silent(name, "owner=ada&ttl=10m&padding=true")) {
                silent.next("acquired");

                awaitReleased(name);
            }

            var releasedAt = Instant.parse(get(name).path("released_at"));
            var ticks = 0;
            while (sentAt(reading.next("tick")).isBefore(releasedAt)) {
                ticks++;
            }
            assertThat(ticks).isLessThanOrEqualTo(TICKS_PER_LEASE);
        }
    }

    @Test
    default void aLeaseThatLingersOutlivesItsConnection() {
        var name = unique("hold-linger");
        String id;
        try (var first = hold(name, "owner=ada&ttl=10m&linger=1m")) {
            id = first.next("acquired").get("lock_id").asText();
        }
        try (var second = hold(name, "owner=ada&ttl=10m&linger=1s&lock_id=" + id)) {
            var again = second.next("acquired");
            assertThat(again.get("lock_id").asText()).isEqualTo(id);
            assertThat(again.get("renewals").asInt()).isEqualTo(1);
        }
        awaitReleased(name);
    }

    @Test
    default void aLaterConnectionOfTheSameOwnerTakesTheLeaseOver() {
        var name = unique("hold-twice");
        try (var first = hold(name, "owner=ada&ttl=10m")) {
            var id = first.next("acquired").get("lock_id");
            try (var second = hold(name, "owner=ada&ttl=10m")) {
                assertThat(second.next("acquired").get("lock_id")).isEqualTo(id);

                assertThat(first.next("lost").get("cause").asText()).isEqualTo("superseded");
                first.hangUp();

                await().until(() -> get(name).<Integer>path("renewals") == 1);
                assertThat(get(name).<String>path("status")).isEqualTo("active");
            }
        }
        awaitReleased(name);
    }

    private static RawHold hold(String name, String query) {
        return new RawHold(RestAssured.port, path(name), query);
    }

    private static RawHold silent(String name, String query) {
        return RawHold.withoutRoom(RestAssured.port, path(name), query);
    }

    private static Answer refused(String name, String query) {
        return Calls.get(path(name) + "/hold?" + query);
    }

    private static int waiting(String name) {
        return get(name).path("waiting");
    }

    /** By the clock of the service. */
    private static Instant sentAt(JsonNode tick) {
        return Instant.parse(tick.get("expires_at").asText())
                .minusMillis(tick.get("remaining_ms").asLong());
    }

    private static void awaitReleased(String name) {
        await().until(() -> get(name).<String>path("status").equals("released"));
    }
}

package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertNotHeldBut;
import static io.holdfast.http.Refusals.assertNotHeldWithoutHolder;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.delete;
import static io.holdfast.http.lock.LockCalls.forceRelease;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a lease ends: given back by its holder, or taken away by an administrator who saw it. */
interface ReleaseFacts {
    @Test
    default void aHolderGivesItsLockBack() {
        var name = unique("release");
        var held = acquired(name, "ada");

        var released = release(held);

        assertThat(released.statusCode()).isEqualTo(200);
        assertThat(released.asString()).isEqualTo("{\"released\":true}");
        var after = get(name);
        assertThat(after.<String>path("status")).isEqualTo("released");
        assertThat(after.<Integer>path("remaining_ms")).isZero();
        assertThat(after.<String>path("released_at")).matches(AcquireFacts.MILLIS);
        assertThat(token(after)).isEqualTo(token(held));
    }

    @Test
    default void givingBackTwiceIsAsGoodAsOnce() {
        var held = acquired(unique("release-twice"), "ada");
        release(held);

        var second = release(held);

        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.asString()).isEqualTo("{\"released\":false}");
    }

    @Test
    default void whatNeverWasIsReleasedAlready() {
        var released = release(unique("never"), UUID.randomUUID().toString(), "ada");

        assertThat(released.statusCode()).isEqualTo(200);
        assertThat(released.<Boolean>path("released")).isFalse();
    }

    @Test
    default void nobodyReleasesTheLockOfAnother() {
        var name = unique("release-other");
        var held = acquired(name, "ada");

        assertNotHeldBut(release(name, held.path("lock_id"), "bob"), held);
        assertNotHeldBut(release(name, UUID.randomUUID().toString(), "ada"), held);
        assertThat(get(name).<String>path("status")).isEqualTo("active");
    }

    @Test
    default void aReleaseThatNamesAnotherTokenIsRefusedAndReleasesNothing() {
        var name = unique("release-token");
        var held = acquired(name, "ada");
        var release = Map.<String, Object>of("owner", "ada", "lock_id", held.path("lock_id"));

        for (var other : new long[] {token(held) - 1, token(held) + 1}) {
            assertNotHeldBut(delete(name, with(release, other)), held);
        }
        assertThat(get(name).<String>path("status")).isEqualTo("active");
        assertThat(delete(name, with(release, token(held))).<Boolean>path("released"))
                .isTrue();
    }

    @Test
    default void aReleasesTokenIsAWholeNumberFromOne() {
        var name = unique("release-wrong-token");
        var held = acquired(name, "ada");
        var release = Map.<String, Object>of("owner", "ada", "lock_id", held.path("lock_id"));

        for (var wrong : new Object[] {0, -1, 1.5, "seven", "9223372036854775808"}) {
            assertInvalid(delete(name, with(release, wrong)), "fencing_token");
        }
        assertThat(get(name).<String>path("status")).isEqualTo("active");
    }

    private static Map<String, Object> with(Map<String, Object> release, Object token) {
        var query = new HashMap<>(release);
        query.put("fencing_token", token);
        return query;
    }

    @Test
    default void aReleaseNamesTheLeaseByIdAndOwner() {
        var name = unique("release-incomplete");
        var held = acquired(name, "ada");

        assertInvalid(delete(name, Map.of("owner", "ada")), "lock_id");
        assertInvalid(delete(name, Map.of("lock_id", held.path("lock_id"))), "owner");
        assertThat(get(name).<String>path("status")).isEqualTo("active");
    }

    @Test
    default void aForceReleaseFreesWhatWasSeenAndRaisesTheToken() {
        var name = unique("force");
        var held = acquired(name, Map.of("owner", "ada", "metadata", Map.of("pod", "a-1")));

        var forced = forceRelease(name, token(held), "holder's node is gone");

        assertThat(forced.statusCode()).isEqualTo(200);
        assertThat(forced.<Boolean>path("released")).isTrue();
        assertThat(forced.<String>path("previous.owner")).isEqualTo("ada");
        assertThat(forced.<String>path("previous.lock_id")).isEqualTo(held.path("lock_id"));
        assertThat(forced.json().getLong("previous.fencing_token")).isEqualTo(token(held));
        assertThat(forced.<String>path("previous.status")).isEqualTo("active");
        assertThat(forced.<Map<String, String>>path("previous.metadata")).containsEntry("pod", "a-1");
        var after = get(name);
        assertThat(after.<String>path("status")).isEqualTo("released");
        assertThat(after.<String>path("release_reason")).isEqualTo("holder's node is gone");
        assertThat(token(after)).isGreaterThan(token(held));
        assertThat(token(acquired(name, "bob"))).isGreaterThan(token(after));
    }

    @Test
    default void theHolderOfAForcedLockHoldsNothingAnyMore() {
        var name = unique("force-holder");
        var held = acquired(name, "ada");
        forceRelease(name, token(held), "stuck");

        assertNotHeldWithoutHolder(LockCalls.renew(name, Map.of("owner", "ada", "lock_id", held.path("lock_id"))));
        assertThat(release(held).<Boolean>path("released")).isFalse();
    }

    @Test
    default void aForceReleaseThatSawAnotherTokenChangesNothing() {
        var name = unique("force-stale");
        release(acquired(name, "ada"));
        var held = acquired(name, "bob");

        var refused = forceRelease(name, token(held) - 1, "stuck");

        assertProblem(refused, 409, "lock-changed");
        assertThat(refused.json().getLong("lock.fencing_token")).isEqualTo(token(held));
        var after = get(name);
        assertThat(after.<String>path("status")).isEqualTo("active");
        assertThat(after.<String>path("owner")).isEqualTo("bob");
        assertThat(token(after)).isEqualTo(token(held));
    }

    @Test
    default void aForceReleaseNeedsAReasonAndAToken() {
        var name = unique("force-incomplete");
        var token = token(acquired(name, "ada"));

        assertInvalid(delete(name, Map.of("force", true, "fencing_token", token)), "reason");
        assertInvalid(delete(name, Map.of("force", true, "fencing_token", token, "reason", " ")), "reason");
        assertInvalid(delete(name, Map.of("force", true, "reason", "stuck")), "fencing_token");
        assertThat(get(name).<String>path("status")).isEqualTo("active");
    }

    @Test
    default void aForceReleaseOfNothingIsNotFound() {
        assertProblem(forceRelease(unique("never"), 1, "stuck"), 404, "not-found");
    }

    @Test
    default void aForceReleaseOfAFreeLockSaysSo() {
        var name = unique("force-free");
        var held = acquired(name, "ada");
        release(held);

        var forced = forceRelease(name, token(held), "stuck");

        assertThat(forced.statusCode()).isEqualTo(200);
        assertThat(forced.<Boolean>path("released")).isFalse();
        assertThat(token(get(name))).isEqualTo(token(held));
    }

    @Test
    default void aLockDelayKeepsAForcedLockClosedToEverybody() {
        var name = unique("force-delay");
        var held = acquired(name, "ada");

        delete(name, Map.of("force", true, "fencing_token", token(held), "reason", "stuck", "lock_delay", "5m"));

        var closed = get(name);
        assertThat(closed.<String>path("status")).isEqualTo("releasing");
        assertThat(Instant.parse(closed.path("closed_until")))
                .isEqualTo(Instant.parse(closed.path("released_at")).plusSeconds(300));
        for (var owner : new String[] {"ada", "bob"}) {
            var refused = acquire(name, owner);
            assertProblem(refused, 409, "lock-conflict");
            assertThat(refused.<String>path("lock.status")).isEqualTo("releasing");
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 300);
        }
    }

    @Test
    default void aLockIsOpenAgainOnceItsDelayHasPassed() {
        var name = unique("force-short-delay");
        var held = acquired(name, "ada");
        delete(name, Map.of("force", true, "fencing_token", token(held), "reason", "stuck", "lock_delay", "300ms"));

        var next = await().until(() -> acquire(name, "bob"), answer -> answer.statusCode() == 201);

        assertThat(token(next)).isGreaterThan(token(held) + 1);
    }
}

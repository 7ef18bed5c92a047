package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertNotHeldBut;
import static io.holdfast.http.Refusals.assertNotHeldWithoutHolder;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.renew;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the holder of a living lease prolongs it. */
interface RenewFacts {
    @Test
    default void aRenewalWithoutATtlKeepsTheDuration() {
        var name = unique("renew");
        var held = acquired(name, Map.of("owner", "ada", "ttl", "90s"));

        var renewed = renew(name, of(held));

        assertThat(renewed.statusCode()).isEqualTo(200);
        assertThat(renewed.<Integer>path("ttl_ms")).isEqualTo(90_000);
        assertThat(renewed.<Integer>path("remaining_ms")).isEqualTo(90_000);
        assertThat(renewed.<Integer>path("renewals")).isEqualTo(1);
        assertThat(renewed.<String>path("lock_id")).isEqualTo(held.path("lock_id"));
        assertThat(renewed.<String>path("acquired_at")).isEqualTo(held.path("acquired_at"));
        assertThat(Instant.parse(renewed.path("expires_at")))
                .isAfterOrEqualTo(Instant.parse(held.<String>path("expires_at")));
        assertThat(token(renewed)).isEqualTo(token(held));
    }

    @Test
    default void aRenewalWithATtlCountsFromNow() {
        var name = unique("renew-ttl");
        var held = acquired(name, Map.of("owner", "ada", "ttl", "90s"));

        var renewed = renew(name, Map.of("owner", "ada", "lock_id", held.path("lock_id"), "ttl", "2h"));
        var again = renew(name, of(held));

        assertThat(renewed.<Integer>path("ttl_ms")).isEqualTo(7_200_000);
        assertThat(again.<Integer>path("ttl_ms")).isEqualTo(7_200_000);
        assertThat(get(name).<Integer>path("renewals")).isEqualTo(2);
    }

    @Test
    default void aRenewalKeepsWhatTheHolderSaidOfItself() {
        var name = unique("renew-labels");
        var held = acquired(name, Map.of("owner", "ada", "lock_type", "cluster", "metadata", Map.of("pod", "a-1")));

        var renewed = renew(name, of(held));

        assertThat(renewed.<String>path("lock_type")).isEqualTo("cluster");
        assertThat(renewed.<Map<String, String>>path("metadata")).containsEntry("pod", "a-1");
    }

    @Test
    default void anotherLockIdCannotRenewAndLearnsTheHolder() {
        var name = unique("renew-other-id");
        var held = acquired(name, "ada");

        var refused = renew(name, Map.of("owner", "ada", "lock_id", UUID.randomUUID()));

        assertNotHeldBut(refused, held);
        assertUnchanged(name, held);
    }

    @Test
    default void anotherOwnerCannotRenewAndLearnsTheHolder() {
        var name = unique("renew-other-owner");
        var held = acquired(name, "ada");

        var refused = renew(name, Map.of("owner", "bob", "lock_id", held.path("lock_id"), "ttl", "2h"));

        assertNotHeldBut(refused, held);
        assertUnchanged(name, held);
    }

    @Test
    default void aRenewalMayNameTheTokenOfItsLease() {
        var name = unique("renew-token");
        var held = acquired(name, "ada");

        assertThat(renew(name, withToken(held, token(held))).statusCode()).isEqualTo(200);
        assertThat(get(name).<Integer>path("renewals")).isEqualTo(1);
    }

    /** Another owner may have held the lock in between, which only the token tells. */
    @Test
    default void aRenewalThatNamesAnotherTokenIsRefusedAndLearnsTheHolder() {
        var name = unique("renew-other-token");
        var held = acquired(name, "ada");

        for (var other : new long[] {token(held) - 1, token(held) + 1}) {
            var refused = renew(name, withToken(held, other));

            assertNotHeldBut(refused, held);
            assertThat(refused.json().getLong("lock.fencing_token")).isEqualTo(token(held));
        }
        assertUnchanged(name, held);
    }

    @Test
    default void aTokenIsAWholeNumberFromOne() {
        var name = unique("renew-wrong-token");
        var held = acquired(name, "ada");

        for (var wrong : new Object[] {0, -1, 1.5, "7", true}) {
            assertInvalid(renew(name, withToken(held, wrong)), "fencing_token");
        }
        assertUnchanged(name, held);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "9223372036854775809", "-9223372036854775809", "1.5", "1e3", "0", "\"7\"", "[]"})
    default void aTokenOutOfRangeIsToldTheRange(String number) {
        var refused = Calls.post(
                LockCalls.path(unique("renew-range")) + "/renew",
                "{\"owner\":\"ada\",\"lock_id\":\"%s\",\"fencing_token\":%s}".formatted(UUID.randomUUID(), number));

        assertInvalid(refused, "fencing_token");
        assertThat(refused.<String>path("allowed")).startsWith("a whole number from 1 to 9223372036854775807");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775809", "1e3", "1.5", "0", "seven"})
    default void aTokenOutOfRangeInAQueryIsToldTheRange(String number) {
        var refused = Calls.delete(LockCalls.path(unique("release-range")) + "?owner=ada&lock_id=" + UUID.randomUUID()
                + "&fencing_token=" + number);

        assertInvalid(refused, "fencing_token");
        assertThat(refused.<String>path("allowed")).isEqualTo("a whole number from 1 to 9223372036854775807");
    }

    @Test
    default void aLockThatNeverWasCannotBeRenewed() {
        assertNotHeldWithoutHolder(renew(unique("never"), Map.of("owner", "ada", "lock_id", UUID.randomUUID())));
    }

    @Test
    default void aReleasedLeaseCannotBeRevived() {
        var name = unique("renew-released");
        var held = acquired(name, "ada");
        release(held);

        assertNotHeldWithoutHolder(renew(name, of(held)));
        assertThat(get(name).<String>path("status")).isEqualTo("released");
    }

    private static Map<String, String> of(Answer held) {
        return Map.of("owner", held.path("owner"), "lock_id", held.path("lock_id"));
    }

    private static Map<String, Object> withToken(Answer held, Object token) {
        return Map.of("owner", held.path("owner"), "lock_id", held.path("lock_id"), "fencing_token", token);
    }

    private static void assertUnchanged(String name, Answer held) {
        var now = get(name);
        assertThat(now.<String>path("expires_at")).isEqualTo(held.path("expires_at"));
        assertThat(now.<Integer>path("renewals")).isZero();
    }
}

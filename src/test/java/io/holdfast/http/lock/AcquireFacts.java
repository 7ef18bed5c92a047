package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import io.holdfast.http.Refusals;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets a lock, and what everybody else is told. */
interface AcquireFacts {
    String MILLIS = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

    @Test
    default void aFreeLockIsGrantedAndAnswersAllOfALock() {
        var name = unique("free");

        var lock = acquired(name, Map.of("owner", "ada", "ttl", "30s"));

        assertThat(lock.contentType()).startsWith("application/json");
        assertThat(lock.json().<String, Object>getMap("$"))
                .containsOnlyKeys(
                        "name",
                        "lock_id",
                        "owner",
                        "fencing_token",
                        "status",
                        "lock_type",
                        "acquired_at",
                        "expires_at",
                        "ttl_ms",
                        "remaining_ms",
                        "renewals",
                        "metadata",
                        "waiting")
                .containsEntry("name", name)
                .containsEntry("owner", "ada")
                .containsEntry("status", "active")
                .containsEntry("lock_type", "generic")
                .containsEntry("ttl_ms", 30_000)
                .containsEntry("remaining_ms", 30_000)
                .containsEntry("renewals", 0)
                .containsEntry("metadata", Map.of())
                .containsEntry("waiting", 0);
        assertThat(UUID.fromString(lock.path("lock_id"))).hasToString(lock.path("lock_id"));
        assertThat(token(lock)).isPositive();
        assertThat(lock.<String>path("acquired_at")).matches(MILLIS);
        assertThat(lock.<String>path("expires_at")).matches(MILLIS);
        assertThat(Instant.parse(lock.path("expires_at")))
                .isEqualTo(Instant.parse(lock.path("acquired_at")).plusSeconds(30));
    }

    @Test
    default void whatAHolderSaysOfItselfComesBack() {
        var name = unique("labels");
        var metadata = Map.of("reason", "nightly apply — ночь", "client_ip", "10.0.0.1");

        acquired(
                name,
                Map.of("owner", "ada", "lock_type", "database", "user_email", "ada@example.com", "metadata", metadata));

        var lock = get(name);
        assertThat(lock.<String>path("lock_type")).isEqualTo("database");
        assertThat(lock.<String>path("user_email")).isEqualTo("ada@example.com");
        assertThat(lock.<Map<String, String>>path("metadata")).isEqualTo(metadata);
    }

    @Test
    default void withoutATtlALeaseLastsHalfAnHour() {
        var lock = acquired(unique("default-ttl"), "ada");

        assertThat(lock.<Integer>path("ttl_ms")).isEqualTo(1_800_000);
    }

    @ParameterizedTest
    @CsvSource({"1500ms,1500", "30s,30000", "5m,300000", "2h,7200000", "PT30S,30000", "PT1H30M,5400000"})
    default void aDurationIsTakenInEveryForm(String ttl, int millis) {
        var lock = acquired(unique("duration"), Map.of("owner", "ada", "ttl", ttl));

        assertThat(lock.<Integer>path("ttl_ms")).isEqualTo(millis);
    }

    @Test
    default void askingAgainAsTheSameOwnerIsTheSameLease() {
        var name = unique("again");
        var first = acquired(name, "ada");

        var second = acquire(name, "ada");

        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.<String>path("lock_id")).isEqualTo(first.path("lock_id"));
        assertThat(second.<String>path("expires_at")).isEqualTo(first.path("expires_at"));
        assertThat(token(second)).isEqualTo(token(first));
    }

    @Test
    default void theCallersLockIdIsTheLeasesOwnAndMayBeRepeated() {
        var name = unique("idempotent");
        var wish = Map.of("owner", "ada", "lock_id", UUID.randomUUID().toString());
        var first = acquired(name, wish);

        var second = acquire(name, wish);

        assertThat(first.<String>path("lock_id")).isEqualTo(wish.get("lock_id"));
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.<String>path("lock_id")).isEqualTo(wish.get("lock_id"));
        assertThat(token(second)).isEqualTo(token(first));
    }

    @Test
    default void theSameLockIdFromAnotherOwnerIsAConflict() {
        var name = unique("borrowed-id");
        var first = acquired(name, "ada");

        var second = acquire(name, Map.of("owner", "bob", "lock_id", first.path("lock_id")));

        assertProblem(second, 409, "lock-conflict");
    }

    @Test
    default void aLockHeldByAnotherIsRefusedWithItsHolder() {
        var name = unique("held");
        var held = acquired(name, Map.of("owner", "execution-abc123", "ttl", "90s"));

        var refused = acquire(name, "bob");

        assertProblem(refused, 409, "lock-conflict");
        var until = Instant.parse(held.path("expires_at")).truncatedTo(ChronoUnit.SECONDS);
        assertThat(refused.<String>path("detail"))
                .isEqualTo("Execution blocked: lock '%s' held by execution-abc123 until %s".formatted(name, until));
        assertThat(refused.<String>path("lock.owner")).isEqualTo("execution-abc123");
        assertThat(refused.<String>path("lock.lock_id")).isEqualTo(held.path("lock_id"));
        assertThat(refused.<String>path("lock.expires_at")).isEqualTo(held.path("expires_at"));
        assertThat(refused.<Integer>path("lock.remaining_ms")).isBetween(1, 90_000);
        assertThat(refused.<Integer>path("waiting")).isZero();
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 90);
    }

    @Test
    default void aRefusedAcquireChangesNothing() {
        var name = unique("untouched");
        var held = acquired(name, "ada");

        acquire(name, Map.of("owner", "bob", "ttl", "1h", "metadata", Map.of("by", "bob")));

        var after = get(name);
        assertThat(after.<String>path("owner")).isEqualTo("ada");
        assertThat(after.<String>path("expires_at")).isEqualTo(held.path("expires_at"));
        assertThat(after.<Map<String, String>>path("metadata")).isEmpty();
        assertThat(token(after)).isEqualTo(token(held));
    }

    @Test
    default void theTokenRisesWithEveryNewLease() {
        var name = unique("rising");
        var first = acquired(name, "ada");
        release(first);

        var second = acquired(name, "ada");

        assertThat(token(second)).isGreaterThan(token(first));
        assertThat(second.<String>path("lock_id")).isNotEqualTo(first.path("lock_id"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttl        | 30     | a duration in quotes, such as \"30s\", \"5m\" or \"PT30S\"",
                "wait       | 1.5    | a duration in quotes, such as \"30s\", \"5m\" or \"PT30S\"",
                "max_hold   | {}     | a duration in quotes, such as \"30s\", \"5m\" or \"PT30S\"",
                "owner      | 7      | a text in quotes",
                "auto_renew | \"yes\" | true or false, without quotes",
                "metadata   | 7      | a JSON object",
            })
    default void aFieldOfAnotherTypeIsToldWhatIsTaken(String field, String value, String allowed) {
        var refused = Calls.post(LockCalls.path(unique("type")), "{\"%s\":%s}".formatted(field, value));

        assertInvalid(refused, field);
        assertThat(refused.<String>path("allowed")).isEqualTo(allowed);
    }

    @Test
    default void aMisspeltFieldIsToldTheNearestKnownOne() {
        var refused = Calls.post(LockCalls.path(unique("misspelt")), Map.of("owner", "ada", "tll", "30s"));

        assertInvalid(refused, "tll");
        assertThat(refused.<String>path("allowed"))
                .startsWith("left out; did you mean ttl? The body takes auto_renew, lock_id, ");
    }

    @Test
    default void aFieldThatTheBodyDoesNotHaveIsRefused() {
        var name = unique("unknown-field");

        assertInvalid(acquire(name, Map.of("owner", "ada", "patience", "5s")), "patience");
        assertProblem(get(name), 404, "not-found");
    }

    @Test
    default void anExpiredLeaseIsTakenOverWithAHigherToken() {
        var name = unique("expiry");
        var first = acquired(name, Map.of("owner", "ada", "ttl", "1s"));

        await().until(() -> get(name).path("status").equals("expired"));
        assertThat(get(name).<Integer>path("remaining_ms")).isZero();
        Refusals.assertNotHeldWithoutHolder(
                LockCalls.renew(name, Map.of("lock_id", first.path("lock_id"), "owner", "ada")));
        var second = await().until(() -> acquire(name, "bob"), answer -> answer.statusCode() == 201);

        assertThat(token(second)).isGreaterThan(token(first));
        Refusals.assertNotHeldBut(release(first), second);
        assertThat(get(name).<String>path("owner")).isEqualTo("bob");
    }
}

package io.holdfast.http;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.delete;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.list;
import static io.holdfast.http.lock.LockCalls.renew;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.lock.LockCalls;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every limit, at its end and one beyond. */
public interface LimitFacts {
    @Test
    default void aNameHasAtMost255Characters() {
        var longest = padded(unique("name"), 255);

        assertThat(acquire(longest, "ada").statusCode()).isEqualTo(201);
        assertThat(get(longest).<String>path("name")).isEqualTo(longest);
        assertInvalid(acquire(longest + "x", "ada"), "name");
    }

    @Test
    default void anOwnerHasAtMost255Characters() {
        var name = unique("owner");

        assertInvalid(acquire(name, padded("ada", 256)), "owner");
        assertThat(acquire(name, padded("ada", 255)).statusCode()).isEqualTo(201);
        assertInvalid(acquire(unique("owner"), ""), "owner");
    }

    @Test
    default void metadataHasAtMost16Entries() {
        assertInvalid(acquire(unique("entries"), metadata(entries(17))), "metadata");
        assertThat(acquired(unique("entries"), metadata(entries(16))).<Map<String, String>>path("metadata"))
                .isEqualTo(entries(16));
    }

    @Test
    default void aMetadataKeyHasAtMost64Characters() {
        assertInvalid(acquire(unique("key"), metadata(Map.of(padded("k", 65), "v"))), "metadata");
        assertInvalid(acquire(unique("key"), metadata(Map.of("", "v"))), "metadata");
        acquired(unique("key"), metadata(Map.of(padded("k", 64), "v")));
    }

    @Test
    default void aMetadataValueHasAtMost256Characters() {
        assertInvalid(acquire(unique("value"), metadata(Map.of("k", padded("v", 257)))), "metadata.k");
        acquired(unique("value"), metadata(Map.of("k", padded("v", 256))));
        acquired(unique("value"), metadata(Map.of("k", "")));
    }

    @Test
    default void anEmailHasAtMost254Characters() {
        var domain = "@example.com";

        assertInvalid(
                acquire(
                        unique("email"),
                        Map.of("owner", "ada", "user_email", padded("a", 255 - domain.length()) + domain)),
                "user_email");
        acquired(unique("email"), Map.of("owner", "ada", "user_email", padded("a", 254 - domain.length()) + domain));
    }

    @Test
    default void aTtlLiesBetweenASecondAndADay() {
        for (var outside : new String[] {"999ms", "0s", "86400001ms", "25h", "PT24H0.001S", "PT0.999S"}) {
            assertInvalid(acquire(unique("ttl"), Map.of("owner", "ada", "ttl", outside)), "ttl");
        }
        assertThat(acquired(unique("ttl"), Map.of("owner", "ada", "ttl", "1s")).<Integer>path("ttl_ms"))
                .isEqualTo(1_000);
        assertThat(acquired(unique("ttl"), Map.of("owner", "ada", "ttl", "24h")).<Integer>path("ttl_ms"))
                .isEqualTo(86_400_000);
    }

    @Test
    default void aRenewalsTtlHasTheSameLimits() {
        var name = unique("renew-ttl");
        var held = acquired(name, "ada");
        var lockId = held.<String>path("lock_id");

        assertInvalid(renew(name, Map.of("owner", "ada", "lock_id", lockId, "ttl", "999ms")), "ttl");
        assertInvalid(renew(name, Map.of("owner", "ada", "lock_id", lockId, "ttl", "86400001ms")), "ttl");
        assertThat(get(name).<Integer>path("renewals")).isZero();
        assertThat(renew(name, Map.of("owner", "ada", "lock_id", lockId, "ttl", "24h"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    default void aLockDelayLastsAtMostTenMinutes() {
        var name = unique("delay");
        var token = token(acquired(name, "ada"));

        assertInvalid(
                delete(name, Map.of("force", true, "fencing_token", token, "reason", "r", "lock_delay", "600001ms")),
                "lock_delay");
        assertThat(get(name).<String>path("status")).isEqualTo("active");
        assertThat(delete(name, Map.of("force", true, "fencing_token", token, "reason", "r", "lock_delay", "10m"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    default void aReasonHasAtMost256Characters() {
        var name = unique("reason");
        var token = token(acquired(name, "ada"));

        assertInvalid(LockCalls.forceRelease(name, token, padded("r", 257)), "reason");
        assertThat(LockCalls.forceRelease(name, token, padded("r", 256)).statusCode())
                .isEqualTo(200);
    }

    @Test
    default void aPageHasAtMost1000Locks() {
        var prefix = unique("limit");

        assertThat(list(Map.of("prefix", prefix, "limit", 1000)).statusCode()).isEqualTo(200);
        assertThat(list(Map.of("prefix", prefix, "limit", 1)).statusCode()).isEqualTo(200);
        assertInvalid(list(Map.of("limit", 1001)), "limit");
        assertInvalid(list(Map.of("limit", 0)), "limit");
    }

    private static String padded(String start, int length) {
        return start + "x".repeat(length - start.length());
    }

    private static Map<String, Object> metadata(Map<String, String> entries) {
        return Map.of("owner", "ada", "metadata", entries);
    }

    private static Map<String, String> entries(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "key-" + i, i -> "value " + i));
    }
}

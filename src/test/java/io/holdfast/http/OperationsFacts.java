package io.holdfast.http;

import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.delete;
import static io.holdfast.http.lock.LockCalls.forceRelease;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.list;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators and generators of clients read: health, metrics, the contract. */
public interface OperationsFacts {
    @ParameterizedTest
    @ValueSource(strings = {"started", "ready", "live", "group/store"})
    default void everyProbeAnswers(String probe) {
        var health = Calls.get("/q/health/" + probe);

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.<String>path("status")).isEqualTo("UP");
    }

    @Test
    default void theStoreHasItsOwnCheckAndLivenessDoesNotAskIt() {
        assertThat(Calls.get("/q/health/group/store").<List<String>>path("checks.name"))
                .containsExactly("store");
        assertThat(Calls.get("/q/health/ready").<List<String>>path("checks.name"))
                .containsAnyOf("store", "replica");
        assertThat(Calls.get("/q/health/live").<List<String>>path("checks.name"))
                .doesNotContain("store");
    }

    @Test
    default void theMetersHaveTheirPublishedNamesAndNeverALocksName() {
        var name = unique("metered");
        var held = acquired(name, Map.of("owner", "ada", "lock_type", "database"));
        acquire(name, "bob");
        release(held);
        Calls.get("/q/health/group/store");

        var metrics = Calls.get("/q/metrics").asString();

        assertThat(metrics)
                .containsPattern("(?m)^lock_acquire_duration_seconds_count [1-9]")
                .containsPattern("(?m)^lock_acquisition_failures_total\\{.*reason=\"held\".*} [1-9]")
                .containsPattern("(?m)^lock_held_duration_seconds_count\\{.*lock_type=\"database\".*} [1-9]")
                .containsPattern("(?m)^store_available 1\\.0")
                .contains("lock_acquire_retries", "stale_locks_cleaned_total")
                .doesNotContain(name);
    }

    /** Byte for byte, and without a query as the client accepts it. */
    @Test
    default void theContractIsServedAsItIsWritten() throws IOException {
        for (var format : List.of("yaml", "json")) {
            var served = Calls.get("/q/openapi?format=" + format).expect(200);

            assertThat(served.contentType()).isEqualTo("application/" + format + ";charset=UTF-8");
            assertThat(served.asString())
                    .isEqualTo(Files.readString(Path.of("src/main/resources/contract/openapi." + format)));
            assertThat(Calls.get("/q/openapi", "Accept", "application/" + format)
                            .asString())
                    .isEqualTo(served.asString());
        }
    }

    @Test
    default void theContractDescribesEveryLockPathWithExamples() {
        var contract = contract();

        assertThat(contract.<String, Object>getMap("paths.'/v1/locks/{name}'")).containsKeys("post", "get", "delete");
        assertThat(contract.<String, Object>getMap("paths.'/v1/locks/{name}/renew'"))
                .containsKeys("post");
        assertThat(contract.<String, Object>getMap("paths.'/v1/locks/{name}/hold'"))
                .containsKeys("get");
        assertThat(contract.<String, Object>getMap("paths.'/v1/locks/{name}/heartbeat'"))
                .containsKeys("post");
        assertThat(contract.<String, Object>getMap("paths.'/v1/locks'")).containsKeys("get", "post", "delete");
        for (var schema : new String[] {
            "Acquire",
            "AcquireAll",
            "LockSet",
            "ReleaseAll",
            "Renew",
            "Heartbeat",
            "Lock",
            "Tick",
            "Lost",
            "Problem",
            "Release"
        }) {
            assertThat(contract.<String, Map<String, Object>>getMap("components.schemas." + schema + ".properties")
                            .values())
                    .as(schema)
                    .anySatisfy(property -> assertThat(property).containsKey("examples"));
        }
    }

    @Test
    default void noLockIsAnsweredWithAFieldThatTheContractLacks() {
        var described = described(contract(), "Lock");
        var name = unique("contract");
        var held = acquired(
                name, Map.of("owner", "ada", "user_email", "ada@example.com", "metadata", Map.of("pod", "a-1")));
        var conflict = acquire(name, "bob");
        var forced = delete(
                name, Map.of("force", true, "fencing_token", token(held), "reason", "stuck", "lock_delay", "1m"));
        var closed = get(name);

        assertThat(described).containsAll(fields(held, "$")).containsAll(fields(closed, "$"));
        assertThat(described).containsAll(fields(conflict, "lock")).containsAll(fields(forced, "previous"));
        assertThat(fields(held, "$")).contains("user_email");
        assertThat(fields(closed, "$")).contains("released_at", "closed_until", "release_reason");
    }

    @Test
    default void noOtherAnswerHasAFieldThatTheContractLacks() {
        var contract = contract();
        var name = unique("contract");
        var held = acquired(name, "ada");

        assertThat(described(contract, "Problem"))
                .containsAll(fields(acquire(name, "bob"), "$"))
                .containsAll(fields(acquire(name, ""), "$"));
        assertThat(described(contract, "Locks")).containsAll(fields(list(Map.of("prefix", name)), "$"));
        assertThat(described(contract, "Release")).containsAll(fields(forceRelease(name, token(held), "stuck"), "$"));
    }

    private static Json contract() {
        return Calls.get("/q/openapi?format=json").expect(200).json();
    }

    private static Set<String> described(Json contract, String schema) {
        return contract.<String, Object>getMap("components.schemas." + schema + ".properties")
                .keySet();
    }

    private static Set<String> fields(Answer answer, String path) {
        return new TreeSet<>(answer.json().<String, Object>getMap(path).keySet());
    }
}

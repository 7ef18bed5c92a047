package io.holdfast.http;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.OpenApi;
import io.holdfast.contract.ProblemCodes;
import io.holdfast.contract.SampleRequest;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client is told while the store does not answer. */
@OnQuarkus
@QuarkusTest
@TestProfile(StoreAway.class)
class StoreAwayTest {
    private static final String LOCK_ID = "123e4567-e89b-42d3-a456-426614174000";

    @ParameterizedTest
    @ValueSource(strings = {"/v1/locks", "/v1/locks/a", "/v1/locks/a%2Fhold", "/v1/apps/a", "/status/quick?app=a"})
    void aReadIsToldThatNothingWasChanged(String read) {
        var refused = Calls.get(read);

        assertUnavailable(refused);
        assertThat(refused.<String>path("detail")).endsWith(" This was a read and has changed nothing: ask again.");
    }

    @Test
    void aChangeIsToldThatItMayHaveHappened() {
        var releaseOfTwo = "/v1/locks?names=a,b&owner=ada&lock_id=" + LOCK_ID;
        for (var refused :
                new Answer[] {acquire("a", "ada"), Calls.get(path("a") + "/hold?owner=ada"), Calls.delete(releaseOfTwo)
                }) {
            assertUnavailable(refused);
            assertThat(refused.<String>path("detail"))
                    .endsWith(" A change may or may not have happened: ask again, for a lock with the same lock_id,"
                            + " for a job with the same idempotency_key.");
        }
    }

    /** The others do not ask the store. */
    @Test
    void everyOperationOfTheContractIsToldSoIfItAsksTheStore() {
        for (var operation : OpenApi.contract().operations()) {
            var sample = operation.toString().equals("DELETE /v1/locks/{name}")
                    ? SampleRequest.of(operation).with("lock_id", LOCK_ID).with("owner", "ada")
                    : SampleRequest.of(operation);

            var answer = Calls.call(operation.method(), sample.target(), sample.text());

            if (ProblemCodes.of(operation, 503).contains("store-unavailable")) {
                assertUnavailable(answer);
            } else {
                assertThat(answer.statusCode()).as(operation.toString()).isEqualTo(200);
            }
        }
    }

    private static void assertUnavailable(Answer refused) {
        assertProblem(refused, 503, "store-unavailable");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
    }
}

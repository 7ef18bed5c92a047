package io.holdfast.http.service;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.lock.LockCalls.unique;
import static io.holdfast.http.service.ServiceCalls.history;
import static io.holdfast.http.service.ServiceCalls.put;
import static io.holdfast.http.service.ServiceCalls.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import io.restassured.RestAssured;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Repairs by the reconciler, and its pause. */
interface ReconciliationFacts {
    String RECONCILIATION = "/v1/reconciliation";

    @Test
    default void aRepairSaysWhatWasObserved() {
        var id = unique("service");
        var url = "http://localhost:%d/v1/about".formatted(RestAssured.port);

        put(id, Map.of("observe", Map.of("url", url, "probe", "http-cautious"))).expect(201);

        await().untilAsserted(() -> assertThat(status(id)).isEqualTo("RUNNING"));
        var repair = history(id).getFirst();
        assertThat(repair)
                .containsEntry("from", "IDLE")
                .containsEntry("to", "RUNNING")
                .containsEntry("by", "reconciler");
        assertThat(repair.get("observed"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, String.class))
                .containsOnlyKeys("state", "detail")
                .containsEntry("state", "RUNNING");
    }

    @Test
    default void theReconcilerIsPausedWithAReasonAndGoesOn() {
        try {
            var paused = Calls.put(RECONCILIATION, Map.of("paused", true, "reason", "migration tonight"))
                    .expect(200);
            assertThat(paused.<Boolean>path("paused")).isTrue();
            assertThat(paused.<String>path("reason")).isEqualTo("migration tonight");
            assertThat(Calls.get(RECONCILIATION).expect(200).asString()).isEqualTo(paused.asString());
        } finally {
            Calls.put(RECONCILIATION, Map.of("paused", false)).expect(200);
        }
        var resumed = Calls.get(RECONCILIATION).expect(200);
        assertThat(resumed.<Boolean>path("paused")).isFalse();
        assertThat(resumed.<String>path("reason")).isNull();
    }

    @Test
    default void aPauseWithoutAReasonIsRefused() {
        assertInvalid(Calls.put(RECONCILIATION, Map.of("paused", true)), "reason");
        assertInvalid(Calls.put(RECONCILIATION, Map.of("paused", true, "reason", " ")), "reason");
        assertInvalid(Calls.put(RECONCILIATION, Map.of("reason", "why")), "paused");
        assertInvalid(Calls.put(RECONCILIATION, "{\"paused\":\"yes\"}"), "paused");
        assertThat(Calls.get(RECONCILIATION).expect(200).<Boolean>path("paused"))
                .isFalse();
    }
}

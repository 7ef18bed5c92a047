package io.holdfast.http.service;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.unique;
import static io.holdfast.http.service.ServiceCalls.deploy;
import static io.holdfast.http.service.ServiceCalls.get;
import static io.holdfast.http.service.ServiceCalls.history;
import static io.holdfast.http.service.ServiceCalls.put;
import static io.holdfast.http.service.ServiceCalls.remove;
import static io.holdfast.http.service.ServiceCalls.service;
import static io.holdfast.http.service.ServiceCalls.status;
import static io.holdfast.http.service.ServiceCalls.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Calls;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Registering, replacing and removing services. */
interface RegistrationFacts {
    Map<String, String> WORKLOAD = Map.of("namespace", "shop", "kind", "Deployment", "name", "billing");

    @Test
    default void aNewServiceIsIdleAndHasWhatWasSent() {
        var id = unique("service");

        var registered = put(id, Map.of("observe", Map.of("kubernetes", WORKLOAD), "deploy_deadline", "10m"))
                .expect(201)
                .json();

        assertThat(registered.getString("id")).isEqualTo(id);
        assertThat(registered.getString("status")).isEqualTo("IDLE");
        assertThat(registered.getLong("version")).isPositive();
        assertThat(registered.getString("since")).isEqualTo(registered.getString("registered_at"));
        assertThat(registered.getLong("deploy_deadline_ms")).isEqualTo(600_000);
        assertThat(registered.<String, Object>getMap("observe")).isEqualTo(Map.of("kubernetes", WORKLOAD));
        assertThat(registered.<String, Object>getMap("")).doesNotContainKey("deployment");
        assertThat(get(id).expect(200).asString()).isEqualTo(registered.toString());
    }

    @Test
    default void aSecondRegistrationReplacesTheFirstAndKeepsTheStatus() {
        var id = service();
        var deployed = deploy(id).expect(200);

        var replaced = put(id, Map.of("observe", Map.of("url", "http://127.0.0.1:9/health")))
                .expect(200)
                .json();

        assertThat(replaced.<String, Object>getMap("observe"))
                .isEqualTo(Map.of("url", "http://127.0.0.1:9/health", "probe", "http-200"));
        assertThat(replaced.getString("status")).isEqualTo("DEPLOYING");
        assertThat(replaced.getLong("version")).isEqualTo(deployed.json().getLong("service.version"));
        assertThat(replaced.getString("deployment.deployment_id")).isEqualTo(deployed.path("deployment_id"));
        assertThat(history(id)).hasSize(2);
        assertThat(put(id, Map.of()).expect(200).json().<String, Object>getMap(""))
                .doesNotContainKey("observe");
    }

    @Test
    default void aRemovedServiceIsGoneAndItsHistoryStays() {
        var id = service();
        var version = version(id);

        assertThat(remove(id).expect(200).json().<String, Object>getMap("")).isEqualTo(Map.of("removed", true));

        assertProblem(get(id), 404, "not-found");
        assertProblem(remove(id), 404, "not-found");
        var moves = history(id);
        assertThat(moves).hasSize(2);
        assertThat(moves.getFirst()).containsEntry("from", "IDLE").doesNotContainKey("to");
        assertThat(moves.getLast()).containsEntry("to", "IDLE").doesNotContainKey("from");
        put(id, Map.of()).expect(201);
        assertThat(version(id)).isGreaterThan(version + 1);
        assertThat(status(id)).isEqualTo("IDLE");
    }

    @Test
    default void whatDoesNotExistIsNotFound() {
        var id = unique("none");

        assertProblem(get(id), 404, "not-found");
        assertProblem(remove(id), 404, "not-found");
        assertProblem(deploy(id), 404, "not-found");
        assertProblem(ServiceCalls.set(id, "RUNNING"), 404, "not-found");
        assertProblem(
                ServiceCalls.report(
                        id,
                        Map.of(
                                "deployment_id", "3f0e8b52-6c1d-4c0e-9a57-2f4d1b6a9c10",
                                "epoch", 1,
                                "status", "RUNNING")),
                404,
                "not-found");
        assertProblem(Calls.get(ServiceCalls.path(id) + "/history"), 404, "not-found");
    }

    @Test
    default void anIdMayHaveEveryCharacterOfAName() {
        var id = unique("eu/shop:billing#1@x");

        put(id, Map.of()).expect(201);

        assertThat(get(id).expect(200).<String>path("id")).isEqualTo(id);
        assertThat(get("events-" + id).statusCode()).isEqualTo(404);
    }
}

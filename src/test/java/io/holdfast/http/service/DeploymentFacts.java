package io.holdfast.http.service;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.service.ServiceCalls.deploy;
import static io.holdfast.http.service.ServiceCalls.get;
import static io.holdfast.http.service.ServiceCalls.history;
import static io.holdfast.http.service.ServiceCalls.report;
import static io.holdfast.http.service.ServiceCalls.result;
import static io.holdfast.http.service.ServiceCalls.service;
import static io.holdfast.http.service.ServiceCalls.set;
import static io.holdfast.http.service.ServiceCalls.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Answer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Deployments and their results, also when answers are lost or come late. */
interface DeploymentFacts {
    @Test
    default void aDeploymentBeginsWithTheNextVersionAsItsEpoch() {
        var id = service();
        var before = version(id);

        var deployed = deploy(id, Map.of("reason", "release 42", "deadline", "20m"))
                .expect(200)
                .json();

        assertThat(deployed.getLong("epoch")).isEqualTo(before + 1);
        assertThat(deployed.getString("service.status")).isEqualTo("DEPLOYING");
        assertThat(deployed.getLong("service.version")).isEqualTo(before + 1);
        var deployment = deployed.at("service.deployment");
        assertThat(deployment.getString("deployment_id")).isEqualTo(deployed.getString("deployment_id"));
        assertThat(deployment.getString("reason")).isEqualTo("release 42");
        assertThat(deployment.getLong("remaining_ms")).isBetween(1_000_000L, 1_200_000L);
        assertThat(deployment.<String, Object>getMap("")).doesNotContainKeys("ended_at", "ended_with", "ended_by");
        assertThat(history(id).getFirst())
                .containsEntry("from", "IDLE")
                .containsEntry("to", "DEPLOYING")
                .containsEntry("by", "api")
                .containsEntry("reason", "release 42")
                .containsEntry("deployment_id", deployed.getString("deployment_id"))
                .containsEntry("rolled_back", false);
    }

    @Test
    default void aRepeatedDeployWithTheSameIdIsTheSameDeployment() {
        var id = service();
        var wanted = Map.of("deployment_id", UUID.randomUUID().toString());
        var first = deploy(id, wanted).expect(200);

        var again = deploy(id, wanted).expect(200);

        assertThat(again.<Object>path("epoch")).isEqualTo(first.path("epoch"));
        assertThat(again.<String>path("deployment_id")).isEqualTo(wanted.get("deployment_id"));
        report(id, first, "RUNNING").expect(200);
        assertThat(deploy(id, wanted).expect(200).<String>path("service.status"))
                .isEqualTo("RUNNING");
        assertThat(history(id)).hasSize(3);
    }

    @Test
    default void aCopyOfTheRequestForAnEarlierDeploymentIsStaleAndChangesNothing() {
        var id = service();
        var earlier = Map.of("deployment_id", UUID.randomUUID().toString());
        report(id, deploy(id, earlier).expect(200), "RUNNING").expect(200);
        report(id, deploy(id).expect(200), "RUNNING").expect(200);
        var before = history(id);

        var copy = deploy(id, earlier);

        assertProblem(copy, 409, "stale-epoch");
        assertThat(copy.<String>path("detail")).contains("not the latest");
        assertThat(history(id)).isEqualTo(before);
    }

    @Test
    default void theResultEndsTheDeploymentAndMayBeRepeated() {
        var id = service();
        var deployed = deploy(id).expect(200);

        var running = report(id, deployed, "RUNNING").expect(200).json();

        assertThat(running.getString("status")).isEqualTo("RUNNING");
        assertThat(running.getString("deployment.ended_with")).isEqualTo("RUNNING");
        assertThat(running.getString("deployment.ended_by")).isEqualTo("worker");
        assertThat(running.getBoolean("deployment.rolled_back")).isFalse();
        assertThat(running.getString("deployment.ended_at")).isEqualTo(running.getString("since"));
        assertThat(running.<String, Object>getMap("deployment")).doesNotContainKey("remaining_ms");
        assertThat(report(id, deployed, "RUNNING").expect(200).asString()).isEqualTo(running.toString());
        assertThat(history(id)).hasSize(3);
    }

    @Test
    default void aRollbackIsARunningServiceWithAFailedDeployment() {
        var id = service();
        var deployed = deploy(id).expect(200);
        var result = result(deployed, "RUNNING");
        result.putAll(Map.of("rolled_back", true, "reason", "the new image did not start"));

        var restored = report(id, result).expect(200);

        assertThat(restored.<String>path("status")).isEqualTo("RUNNING");
        assertThat(restored.<Boolean>path("deployment.rolled_back")).isTrue();
        assertThat(history(id).getFirst())
                .containsEntry("by", "worker")
                .containsEntry("rolled_back", true)
                .containsEntry("reason", "the new image did not start");
    }

    @Test
    default void theResultOfAnEarlierDeploymentIsStaleAndChangesNothing() {
        var id = service();
        var first = deploy(id).expect(200);
        set(id, "FAILED").expect(200);
        var second = deploy(id).expect(200);

        assertUnchanged(id, "stale-epoch", () -> report(id, first, "RUNNING"));
        var mixed = result(first, "RUNNING");
        mixed.put("epoch", second.json().getLong("epoch"));
        assertUnchanged(id, "stale-epoch", () -> report(id, mixed));
        report(id, second, "FAILED").expect(200);
        assertUnchanged(id, "stale-epoch", () -> report(id, first, "FAILED"));
    }

    @Test
    default void aResultOfADeploymentThatAnotherWriterHasEndedIsRefused() {
        var id = service();
        var deployed = deploy(id).expect(200);
        set(id, "FAILED").expect(200);

        assertUnchanged(id, "stale-epoch", () -> report(id, deployed, "RUNNING"));
        assertUnchanged(id, "illegal-transition", () -> report(id, deployed, "FAILED"));
    }

    @Test
    default void aSecondDeploymentDoesNotBeginWhileOneIsUnderWay() {
        var id = service();
        deploy(id).expect(200);

        var refused = assertUnchanged(id, "illegal-transition", () -> deploy(id));

        assertThat(refused.<String>path("from")).isEqualTo("DEPLOYING");
        assertThat(refused.<String>path("to")).isEqualTo("DEPLOYING");
        assertThat(refused.<String>path("allowed")).isEqualTo("RUNNING, STOPPED, FAILED");
    }

    /** The refusal shows the service, which is as it was, and so is its history. */
    private static Answer assertUnchanged(String id, String code, Supplier<Answer> request) {
        var version = version(id);
        var status = ServiceCalls.status(id);
        List<Map<String, Object>> history = history(id);

        var refused = request.get();

        assertProblem(refused, 409, code);
        assertThat(refused.json().getLong("service.version")).isEqualTo(version);
        assertThat(refused.<String>path("service.status")).isEqualTo(status);
        assertThat(get(id).json().getLong("version")).isEqualTo(version);
        assertThat(history(id)).isEqualTo(history);
        return refused;
    }
}

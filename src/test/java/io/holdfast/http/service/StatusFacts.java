package io.holdfast.http.service;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.service.ServiceCalls.get;
import static io.holdfast.http.service.ServiceCalls.history;
import static io.holdfast.http.service.ServiceCalls.service;
import static io.holdfast.http.service.ServiceCalls.set;
import static io.holdfast.http.service.ServiceCalls.status;
import static io.holdfast.http.service.ServiceCalls.version;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of legal moves, and versions. */
interface StatusFacts {
    /** How a service gets to each status. */
    Map<String, List<String>> MOVES_TO = Map.of(
            "IDLE", List.of(),
            "DEPLOYING", List.of("DEPLOYING"),
            "RUNNING", List.of("DEPLOYING", "RUNNING"),
            "STOPPED", List.of("DEPLOYING", "STOPPED"),
            "FAILED", List.of("DEPLOYING", "FAILED"),
            "CRASHING", List.of("DEPLOYING", "RUNNING", "CRASHING"));

    Map<String, List<String>> LEGAL = Map.of(
            "IDLE", List.of("DEPLOYING"),
            "DEPLOYING", List.of("RUNNING", "STOPPED", "FAILED"),
            "RUNNING", List.of("DEPLOYING", "STOPPED", "FAILED", "CRASHING"),
            "STOPPED", List.of("DEPLOYING", "RUNNING"),
            "FAILED", List.of("DEPLOYING", "RUNNING", "STOPPED"),
            "CRASHING", List.of("DEPLOYING", "RUNNING", "STOPPED", "FAILED"));

    @ParameterizedTest
    @ValueSource(strings = {"IDLE", "DEPLOYING", "RUNNING", "STOPPED", "FAILED", "CRASHING"})
    default void onlyLegalMovesAreMade(String from) {
        for (var to : LEGAL.keySet()) {
            var id = service(MOVES_TO.get(from));
            var version = version(id);
            var moves = history(id);

            var answer = set(id, to);

            if (LEGAL.get(from).contains(to)) {
                assertThat(answer.expect(200).<String>path("status")).isEqualTo(to);
                assertThat(version(id)).isEqualTo(version + 1);
                assertThat(history(id)).hasSize(moves.size() + 1);
            } else {
                assertProblem(answer, 409, "illegal-transition");
                assertThat(answer.<String>path("from")).isEqualTo(from);
                assertThat(answer.<String>path("to")).isEqualTo(to);
                assertThat(answer.<String>path("allowed").split(", "))
                        .containsExactlyInAnyOrderElementsOf(LEGAL.get(from));
                assertThat(answer.<String>path("service.id")).isEqualTo(id);
                assertThat(version(id)).isEqualTo(version);
                assertThat(history(id)).isEqualTo(moves);
            }
        }
    }

    @Test
    default void theMoveHasTheReasonAndTheLatestDeployment() {
        var id = service(List.of("DEPLOYING", "RUNNING"));

        set(id, Map.of("status", "STOPPED", "reason", "maintenance")).expect(200);

        assertThat(history(id).getFirst())
                .containsEntry("service", id)
                .containsEntry("from", "RUNNING")
                .containsEntry("to", "STOPPED")
                .containsEntry("by", "api")
                .containsEntry("reason", "maintenance")
                .containsEntry("deployment_id", get(id).path("deployment.deployment_id"))
                .containsEntry("at", get(id).path("since"));
    }

    @Test
    default void aWriterThatHasSeenAnOlderVersionIsRefused() {
        var id = service(List.of("DEPLOYING"));
        var seen = version(id);
        set(id, Map.of("status", "RUNNING", "if_version", seen)).expect(200);

        var late = set(id, Map.of("status", "STOPPED", "if_version", seen));

        assertProblem(late, 409, "version-conflict");
        assertThat(late.json().getLong("service.version")).isEqualTo(seen + 1);
        assertThat(status(id)).isEqualTo("RUNNING");
        assertProblem(set(id, Map.of("status", "DEPLOYING", "if_version", seen)), 409, "version-conflict");
        assertThat(history(id)).hasSize(3);
        set(id, Map.of("status", "STOPPED", "if_version", seen + 1)).expect(200);
    }
}

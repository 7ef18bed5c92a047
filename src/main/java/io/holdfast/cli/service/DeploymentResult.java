package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.wire.service.DeploymentResultBody;
import io.holdfast.kernel.Text;
import java.util.Optional;

/**
 * How a deployment has ended.
 *
 * @param rolledBack whether it failed, and what ran before runs again
 */
record DeploymentResult(String status, boolean rolledBack, Optional<String> reason) {
    static final String RUNNING = "RUNNING";
    static final String FAILED = "FAILED";

    /** The service's limit. */
    private static final int REASON_LENGTH_MAX = 256;

    static DeploymentResult running() {
        return new DeploymentResult(RUNNING, false, Optional.empty());
    }

    static DeploymentResult rolledBack(String why) {
        return new DeploymentResult(RUNNING, true, Optional.of(Text.cleaned(why, REASON_LENGTH_MAX)));
    }

    static DeploymentResult failed(String why) {
        return new DeploymentResult(FAILED, false, Optional.of(Text.cleaned(why, REASON_LENGTH_MAX)));
    }

    DeploymentResultBody body(Deployment deployment) {
        return new DeploymentResultBody(
                deployment.id(), deployment.epoch(), status, rolledBack ? Boolean.TRUE : null, reason.orElse(null));
    }

    /** Whether a move of the service's history was made by this result. */
    boolean isThatOf(JsonNode move, Deployment deployment) {
        return move.path("by").asText().equals("worker")
                && move.path("deployment_id").asText().equals(deployment.id())
                && move.path("to").asText().equals(status)
                && move.path("rolled_back").asBoolean() == rolledBack;
    }

    /** For people. */
    String sentence(String service) {
        return "Service '%s' is %s%s%s"
                .formatted(
                        service,
                        status,
                        rolledBack ? ", rolled back" : "",
                        reason.map(why -> ": " + why).orElse("."));
    }
}

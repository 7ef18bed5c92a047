package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * A deployment that has begun.
 *
 * @param epoch its fencing token
 */
record Deployment(String service, String id, long epoch) {
    static final String SERVICE = "HOLDFAST_SERVICE";
    static final String DEPLOYMENT_ID = "HOLDFAST_DEPLOYMENT_ID";
    static final String EPOCH = "HOLDFAST_EPOCH";

    /** @param answer to the request that has begun it */
    static Deployment of(String service, JsonNode answer) {
        return new Deployment(
                service,
                answer.path("deployment_id").asText(),
                answer.path("epoch").asLong());
    }

    String path(String action) {
        return ServicesCommand.path(service) + "/" + action;
    }

    /** For the environment of the command. */
    Map<String, String> variables() {
        return Map.of(SERVICE, service, DEPLOYMENT_ID, id, EPOCH, Long.toString(epoch));
    }
}

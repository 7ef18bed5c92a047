package io.holdfast.cli.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.http.wire.job.ClaimBody;
import java.util.Map;

/**
 * A job that a slot has claimed.
 *
 * @param json the whole answer, for the handler
 * @param sentNanos when the request was sent, by {@link System#nanoTime()}
 * @param receivedNanos when the answer came
 */
record ClaimedJob(JsonNode json, ClaimBody claim, String worker, long sentNanos, long receivedNanos) {
    static final String JOB_ID = "HOLDFAST_JOB_ID";
    static final String JOB_TYPE = "HOLDFAST_JOB_TYPE";
    static final String CLUSTER = "HOLDFAST_CLUSTER";
    static final String EPOCH = "HOLDFAST_EPOCH";
    static final String ATTEMPT = "HOLDFAST_ATTEMPT";
    static final String WORKER = "HOLDFAST_WORKER";

    String id() {
        return claim.job().id();
    }

    long epoch() {
        return claim.epoch();
    }

    String path(String action) {
        return ApiClient.path("v1", "jobs", id(), action);
    }

    /** The lock that the worker holds while it runs the job. */
    String lock() {
        return "CLUSTER#" + claim.job().cluster();
    }

    boolean isSameRunAs(ClaimedJob other) {
        return id().equals(other.id()) && epoch() == other.epoch();
    }

    /** For the environment of the handler. */
    Map<String, String> variables() {
        return Map.of(
                JOB_ID, id(),
                JOB_TYPE, claim.job().type(),
                CLUSTER, claim.job().cluster(),
                EPOCH, Long.toString(epoch()),
                ATTEMPT, Integer.toString(claim.job().attempt()),
                WORKER, worker);
    }
}

package io.holdfast.observe;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.probe.StatusUnknownException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What Kubernetes says of one pod.
 *
 * @param startedAt when its node accepted it, or when it was created if no node has
 * @param containers init containers first
 */
record Pod(String name, String uid, Instant startedAt, Condition condition, List<Container> containers) {
    static final String BACK_OFF = "CrashLoopBackOff";

    private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

    /**
     * @param reason why the pod as a whole is in this phase, such as {@code Evicted}
     * @param goneBy until when a pod that is terminating may take; absent if it is not
     */
    record Condition(String phase, Optional<String> reason, Optional<Instant> goneBy, boolean ready) {
        boolean terminating() {
            return goneBy.isPresent();
        }
    }

    /** @param stoppedBecause why it does not run, such as {@code ImagePullBackOff}; absent if it runs or has completed */
    record Container(String name, int restarts, Optional<String> stoppedBecause) {
        /** Whether Kubernetes waits before it restarts the container once more. */
        boolean isInBackOff() {
            return stoppedBecause.filter(BACK_OFF::equals).isPresent();
        }
    }

    /** Fails if a part that Kubernetes always sends is missing. */
    static Pod of(JsonNode pod) {
        var metadata = pod.path("metadata");
        var status = pod.path("status");
        var started = Stream.of(status.path("startTime"), metadata.path("creationTimestamp"))
                .filter(JsonNode::isTextual)
                .findFirst()
                .map(JsonNode::textValue);
        var condition = new Condition(
                text(status, "phase"),
                Optional.ofNullable(status.path("reason").textValue()),
                Optional.of(metadata.path("deletionTimestamp"))
                        .filter(deletion -> !deletion.isMissingNode() && !deletion.isNull())
                        .map(deletion -> instant(deletion.asText())),
                isReady(status.path("conditions")));
        var containers = new ArrayList<Container>();
        list(status.path("initContainerStatuses")).forEach(found -> containers.add(container(found)));
        list(status.path("containerStatuses")).forEach(found -> containers.add(container(found)));
        return new Pod(
                text(metadata, "name"),
                text(metadata, "uid"),
                instant(started.orElseThrow(() -> malformed("creationTimestamp"))),
                condition,
                containers);
    }

    /** A pod that is terminating may still run. */
    boolean mayRun() {
        return !FINISHED.contains(condition.phase());
    }

    /** Whether the workload counts on it. */
    boolean isMeantToRun() {
        return mayRun() && !condition.terminating();
    }

    /** Why it is not ready. */
    String problem() {
        if (condition.terminating()) {
            return "terminating";
        }
        return Stream.concat(
                        condition.reason().stream(),
                        containers.stream().flatMap(container -> container.stoppedBecause().stream()))
                .findFirst()
                .orElse("Running".equals(condition.phase()) ? "not ready" : condition.phase());
    }

    private static boolean isReady(JsonNode conditions) {
        for (var condition : list(conditions)) {
            if ("Ready".equals(condition.path("type").textValue())) {
                return "True".equals(condition.path("status").textValue());
            }
        }
        return false;
    }

    private static Container container(JsonNode status) {
        var restarts = status.path("restartCount");
        if (!restarts.isInt()) {
            throw malformed("restartCount");
        }
        var state = status.path("state");
        var stoppedBecause = Stream.of(state.path("waiting"), state.path("terminated"))
                .map(stopped -> stopped.path("reason").textValue())
                .filter(reason -> reason != null && !reason.equals("Completed"))
                .findFirst();
        return new Container(text(status, "name"), restarts.intValue(), stoppedBecause);
    }

    /** Kubernetes omits an empty list. */
    private static JsonNode list(JsonNode node) {
        if (!node.isArray() && !node.isMissingNode() && !node.isNull()) {
            throw malformed("list");
        }
        return node;
    }

    private static String text(JsonNode object, String field) {
        var text = object.path(field).textValue();
        if (text == null || text.isEmpty()) {
            throw malformed(field);
        }
        return text;
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw malformed("time");
        }
    }

    private static StatusUnknownException malformed(String part) {
        return new StatusUnknownException("the Kubernetes API's answer has a pod without a valid " + part);
    }
}

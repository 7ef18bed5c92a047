package io.holdfast.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A pod in the words of an API server: running, ready and a day old, unless a test says otherwise. */
final class FakePod {
    private final String name;
    private final Instant now;
    private final List<String> init = new ArrayList<>();
    private final List<String> containers = new ArrayList<>();
    private String metadata = "";
    private String status = "";
    private String phase = "Running";
    private boolean ready = true;
    private Duration age = Duration.ofDays(1);

    FakePod(String name, Instant now) {
        this.name = name;
        this.now = now;
    }

    FakePod aged(Duration given) {
        age = given;
        return this;
    }

    FakePod notReady() {
        ready = false;
        return this;
    }

    FakePod terminating() {
        return goneBy(now.plusSeconds(30));
    }

    FakePod goneBy(Instant end) {
        metadata = ",\"deletionTimestamp\":\"" + end + "\",\"deletionGracePeriodSeconds\":30";
        return this;
    }

    FakePod phase(String given) {
        phase = given;
        ready = ready && given.equals("Running");
        return this;
    }

    FakePod evicted() {
        status = ",\"reason\":\"Evicted\",\"message\":\"The node was low on resource: memory.\"";
        return phase("Failed");
    }

    /** The start on the node, if it differs from the creation. */
    FakePod startedBefore(Duration given) {
        status = ",\"startTime\":\"" + now.minus(given) + "\"";
        return this;
    }

    FakePod running(String container, int restarts) {
        containers.add(container(container, restarts, "{\"running\":{\"startedAt\":\"" + now + "\"}}"));
        return this;
    }

    FakePod waiting(String container, int restarts, String reason) {
        containers.add(container(container, restarts, waiting(reason)));
        ready = false;
        return this;
    }

    FakePod initWaiting(String container, int restarts, String reason) {
        init.add(container(container, restarts, waiting(reason)));
        return waiting("web", 0, "PodInitializing").phase("Pending");
    }

    FakePod initCompleted(String container) {
        init.add(container(container, 0, "{\"terminated\":{\"exitCode\":0,\"reason\":\"Completed\"}}"));
        return this;
    }

    private static String waiting(String reason) {
        return "{\"waiting\":{\"reason\":\"" + reason + "\",\"message\":\"back-off 5m0s\"}}";
    }

    private static String container(String name, int restarts, String state) {
        return "{\"name\":\"" + name + "\",\"restartCount\":" + restarts + ",\"image\":\"shop/web:1\",\"state\":"
                + state + "}";
    }

    String json() {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"shop\",\"uid\":\"uid-of-" + name
                + "\",\"creationTimestamp\":\"" + now.minus(age) + "\"" + metadata + "},\"status\":{\"phase\":\""
                + phase
                + "\",\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"True\"},{\"type\":\"Ready\",\"status\":\""
                + (ready ? "True" : "False") + "\"}]" + status + ",\"initContainerStatuses\":["
                + String.join(",", init) + "],\"containerStatuses\":[" + String.join(",", containers) + "]}}";
    }
}

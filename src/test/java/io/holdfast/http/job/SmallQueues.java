package io.holdfast.http.job;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Two attempts without a pause, and queues that a test can fill. A client that waits for a lock does not poll: only a
 * release at this replica ends its wait.
 */
public class SmallQueues implements QuarkusTestProfile {
    static final int QUEUE_MAX = 3;
    static final int WAITING_MAX = 4;

    static final Map<String, String> SETTINGS = Map.of(
            "holdfast.jobs.attempts-max", "2",
            "holdfast.jobs.retry-delay", "0s",
            "holdfast.jobs.queue-max", Integer.toString(QUEUE_MAX),
            "holdfast.jobs.waiting-max", Integer.toString(WAITING_MAX),
            "holdfast.jobs.poll-every", "100ms",
            "holdfast.wait.poll-min", "10m",
            "holdfast.wait.poll-max", "10m");

    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = new HashMap<>(SETTINGS);
        settings.put("holdfast.data-dir", "target/data-jobs/" + UUID.randomUUID());
        return settings;
    }
}

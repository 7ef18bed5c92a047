package io.holdfast.http.service;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Few and quick tries for a lock, a reconciler that makes a pass each second, and few event streams. */
public class QuickServices implements QuarkusTestProfile {
    static final int LOCK_TRIES = 3;
    static final int EVENTS_MAX = 6;

    static final Map<String, String> SETTINGS = Map.of(
            "holdfast.lifecycle.lock-tries", Integer.toString(LOCK_TRIES),
            "holdfast.lifecycle.lock-retry-pause", "20ms",
            "holdfast.lifecycle.lock-retry-jitter", "10ms",
            "holdfast.lifecycle.reconcile-every", "1s",
            "holdfast.lifecycle.reconcile-first-after", "1s",
            "holdfast.lifecycle.events-max", Integer.toString(EVENTS_MAX),
            "holdfast.lifecycle.events-poll-every", "100ms",
            "holdfast.lifecycle.events-keep-alive", "1s");

    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = new HashMap<>(SETTINGS);
        settings.put("holdfast.data-dir", "target/data-services/" + UUID.randomUUID());
        return settings;
    }
}

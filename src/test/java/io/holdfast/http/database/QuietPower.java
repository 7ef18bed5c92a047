package io.holdfast.http.database;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Nothing is looked at unless somebody asks. */
public class QuietPower implements QuarkusTestProfile {
    /** No time limit is what these tests are about, so none ends on a machine that is busy. */
    static final Map<String, String> SETTINGS = Map.of(
            "holdfast.power.max-stops-per-hour", "1000000",
            "holdfast.power.reconcile-every", "off",
            "holdfast.power.poll-every", "20ms",
            "holdfast.power.lock-ttl", "5m",
            "holdfast.power.lease-margin", "1m",
            "holdfast.power.answer-max", "40s",
            "holdfast.actuator.call-timeout", "30s",
            "holdfast.probe.timeout", "30s",
            "holdfast.probe.run-max", "1m",
            "holdfast.probe.confirmation-pause", "1ms");

    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = new HashMap<>(SETTINGS);
        settings.put("holdfast.data-dir", "target/data-power/" + UUID.randomUUID());
        return settings;
    }
}

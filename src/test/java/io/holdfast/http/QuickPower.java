package io.holdfast.http;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;
import java.util.UUID;

/** Looks again and again at what is not settled, so that nobody has to wait for it. */
public class QuickPower implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "holdfast.data-dir", "target/data-power/" + UUID.randomUUID(),
                "holdfast.power.max-stops-per-hour", "1000000",
                "holdfast.power.reconcile-every", "1s",
                "holdfast.power.reconcile-first-after", "0s",
                "holdfast.power.poll-every", "20ms",
                "holdfast.probe.confirmation-pause", "1ms");
    }
}

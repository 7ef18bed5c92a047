package io.holdfast.http;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** Looks again and again at what is not settled, so that nobody has to wait for it. */
public class QuickPower implements QuarkusTestProfile {
    static final Map<String, String> SETTINGS = Map.of(
            "holdfast.power.reconcile-every", "1s",
            "holdfast.power.reconcile-first-after", "0s",
            "holdfast.power.poll-every", "20ms");

    @Override
    public Map<String, String> getConfigOverrides() {
        return SETTINGS;
    }
}

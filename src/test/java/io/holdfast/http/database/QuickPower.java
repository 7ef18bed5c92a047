package io.holdfast.http.database;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Looks again and again at what is not settled, so that nobody has to wait for it. */
public class QuickPower implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = new HashMap<>(QuietPower.SETTINGS);
        settings.put("holdfast.data-dir", "target/data-power/" + UUID.randomUUID());
        settings.put("holdfast.power.reconcile-every", "1s");
        settings.put("holdfast.power.reconcile-first-after", "0s");
        return settings;
    }
}

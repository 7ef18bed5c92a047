package io.holdfast.http;

import io.holdfast.http.database.QuietPower;
import java.util.Map;

/** As the program is when it is built with tracing. */
public class TracingOn extends QuietPower {
    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = super.getConfigOverrides();
        settings.put("quarkus.otel.enabled", "true");
        settings.put("quarkus.otel.bsp.schedule.delay", "20ms");
        return settings;
    }
}

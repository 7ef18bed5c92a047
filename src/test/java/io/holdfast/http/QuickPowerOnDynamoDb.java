package io.holdfast.http;

import java.util.HashMap;
import java.util.Map;

/** The same on the other store. */
public class QuickPowerOnDynamoDb extends OnDynamoDb {
    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = new HashMap<>(super.getConfigOverrides());
        settings.putAll(QuickPower.SETTINGS);
        return settings;
    }
}

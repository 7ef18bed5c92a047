package io.holdfast.http.service;

import io.holdfast.http.OnDynamoDb;
import java.util.HashMap;
import java.util.Map;

/** The same on the other store. */
public class QuickServicesOnDynamoDb extends OnDynamoDb {
    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = new HashMap<>(super.getConfigOverrides());
        settings.putAll(QuickServices.SETTINGS);
        return settings;
    }
}

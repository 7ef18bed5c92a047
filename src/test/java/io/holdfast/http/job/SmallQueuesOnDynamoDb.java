package io.holdfast.http.job;

import io.holdfast.http.OnDynamoDb;
import java.util.HashMap;
import java.util.Map;

/** The same on the other store. */
public class SmallQueuesOnDynamoDb extends OnDynamoDb {
    @Override
    public Map<String, String> getConfigOverrides() {
        var settings = new HashMap<>(super.getConfigOverrides());
        settings.putAll(SmallQueues.SETTINGS);
        return settings;
    }
}

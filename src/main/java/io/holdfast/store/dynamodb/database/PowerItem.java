package io.holdfast.store.dynamodb.database;

import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.Partition;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The power attributes of a database's item. Each intent is one attribute, so apps do not overwrite each other's. */
final class PowerItem {
    static final String PHASE = "power_phase";
    static final String EPOCH = "power_epoch";
    static final String SINCE = "power_since";
    static final String CLAIM_VERSION = "power_claim_version";
    /** Rises with every write of the power store, so that a pending entry is not removed after a new intent. */
    static final String VERSION = "power_version";

    private static final String STOP_REQUEST_PREFIX = "power_stop_request:";
    private static final String CLAIM_PREFIX = "power_claim:";

    private PowerItem() {}

    static String stopRequest(AppName app) {
        return STOP_REQUEST_PREFIX + app;
    }

    static String startClaim(AppName app) {
        return CLAIM_PREFIX + app;
    }

    static Map<String, AttributeValue> pendingKey(DatabaseId id) {
        return pendingKey(Partition.PENDING, id);
    }

    static Map<String, AttributeValue> pendingKey(Partition partition, DatabaseId id) {
        return Map.of(Attributes.PK, partition.key(), Attributes.SK, Attributes.text(id.value()));
    }

    static PowerState read(Map<String, AttributeValue> item) {
        var intents = new PowerState.Intents(
                number(item, CLAIM_VERSION), times(item, STOP_REQUEST_PREFIX), times(item, CLAIM_PREFIX));
        var phase = item.containsKey(PHASE) ? Phase.valueOf(item.get(PHASE).s()) : Phase.UNDECIDED;
        return new PowerState(phase, number(item, EPOCH), Instant.ofEpochMilli(number(item, SINCE)), intents);
    }

    static long number(Map<String, AttributeValue> item, String name) {
        return item.containsKey(name) ? Long.parseLong(item.get(name).n()) : 0;
    }

    private static Map<AppName, Instant> times(Map<String, AttributeValue> item, String prefix) {
        var times = new TreeMap<AppName, Instant>();
        item.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                times.put(
                        new AppName(name.substring(prefix.length())), Instant.ofEpochMilli(Long.parseLong(value.n())));
            }
        });
        return times;
    }
}

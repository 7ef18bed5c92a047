package io.holdfast.lock;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A lock configuration with its defaults, of which a test changes one or two. */
public final class LockSettings implements LockConfig {
    private final Map<String, Object> values = new HashMap<>(Map.of(
            "ttl-default", Duration.ofMinutes(30),
            "ttl-min", Duration.ofSeconds(1),
            "ttl-max", Duration.ofHours(24),
            "max-clock-skew", Duration.ofSeconds(1),
            "tombstone-retention", Duration.ofHours(24),
            "lock-delay-max", Duration.ofMinutes(10),
            "list-limit-default", 100,
            "list-limit-max", 1000,
            "list-examined-max", 5000,
            "observed-max", 100));

    {
        values.put("set-max", 3);
        values.put("cleanups-max", 100);
        values.put("cleanup-drain-max", Duration.ofSeconds(5));
    }

    LockSettings with(String key, Object value) {
        values.put(key, value);
        return this;
    }

    @Override
    public Duration ttlDefault() {
        return (Duration) values.get("ttl-default");
    }

    @Override
    public Duration ttlMin() {
        return (Duration) values.get("ttl-min");
    }

    @Override
    public Duration ttlMax() {
        return (Duration) values.get("ttl-max");
    }

    @Override
    public Duration maxClockSkew() {
        return (Duration) values.get("max-clock-skew");
    }

    @Override
    public Duration tombstoneRetention() {
        return (Duration) values.get("tombstone-retention");
    }

    @Override
    public Duration lockDelayMax() {
        return (Duration) values.get("lock-delay-max");
    }

    @Override
    public int listLimitDefault() {
        return (int) values.get("list-limit-default");
    }

    @Override
    public int listLimitMax() {
        return (int) values.get("list-limit-max");
    }

    @Override
    public int listExaminedMax() {
        return (int) values.get("list-examined-max");
    }

    @Override
    public int observedMax() {
        return (int) values.get("observed-max");
    }

    @Override
    public int setMax() {
        return (int) values.get("set-max");
    }

    @Override
    public int cleanupsMax() {
        return (int) values.get("cleanups-max");
    }

    @Override
    public Duration cleanupDrainMax() {
        return (Duration) values.get("cleanup-drain-max");
    }
}

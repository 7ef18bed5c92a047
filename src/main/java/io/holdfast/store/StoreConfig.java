package io.holdfast.store;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The choice of the store and its location. */
@ConfigMapping(prefix = "holdfast")
public interface StoreConfig {
    enum Kind {
        EMBEDDED,
        DYNAMODB
    }

    /** {@code embedded}: one process and one file. {@code dynamodb}: many replicas on one table. */
    @WithDefault("embedded")
    Kind store();

    /** The folder of the embedded store; created if missing. Only one process at a time can use it. */
    @WithDefault("./data")
    String dataDir();

    /** The DynamoDB table. */
    @WithDefault("holdfast")
    String table();

    /** How often each replica checks for the metric whether its store accepts changes; {@code off} for never. */
    @WithDefault("30s")
    String storeCheckEvery();
}

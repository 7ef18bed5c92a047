package io.holdfast.store;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which store keeps the data, and where. */
@ConfigMapping(prefix = "holdfast")
public interface StoreConfig {
    enum Kind {
        EMBEDDED,
        DYNAMODB
    }

    /** {@code embedded}: one process and one file. {@code dynamodb}: many replicas on one table. */
    @WithDefault("embedded")
    Kind store();

    /** The embedded store's folder; made if it is not there. It belongs to one process at a time. */
    @WithDefault("./data")
    String dataDir();

    /** The DynamoDB table. */
    @WithDefault("holdfast")
    String table();

    /** How often each replica asks its store whether it would take a change, for the metric; {@code off} never. */
    @WithDefault("30s")
    String storeCheckEvery();
}

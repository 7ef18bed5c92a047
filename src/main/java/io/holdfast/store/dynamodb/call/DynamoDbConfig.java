package io.holdfast.store.dynamodb.call;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How patient the DynamoDB store is. */
@ConfigMapping(prefix = "holdfast.dynamodb")
public interface DynamoDbConfig {
    /** Attempts per call, the first included. More ride out longer throttling; the caller waits longer for its 503. */
    @WithDefault("4")
    int attemptsMax();

    /** An attempt without an answer is given up after this, and what it did is in doubt. */
    @WithDefault("1s")
    Duration attemptTimeout();

    /** The bound of the random pause before the second attempt; it doubles with each further one. */
    @WithDefault("50ms")
    Duration backoffBase();

    /** The bound that the random pause never exceeds. */
    @WithDefault("1s")
    Duration backoffMax();

    /** Whether a missing table is created at start. Meant for development; in production the table is checked only. */
    @WithDefault("false")
    boolean tableCreate();

    /** Deletions that the sweeper has under way at once. */
    @WithDefault("4")
    int sweepParallelMax();
}

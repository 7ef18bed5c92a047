package io.holdfast.store.dynamodb.call;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Timeouts, retries and limits of the DynamoDB store. */
@ConfigMapping(prefix = "holdfast.dynamodb")
public interface DynamoDbConfig {
    /** Attempts per call, including the first. More survive longer throttling, but delay the 503 to the client. */
    @WithDefault("4")
    int attemptsMax();

    /** The timeout of an attempt. Its write may have been carried out. */
    @WithDefault("1s")
    Duration attemptTimeout();

    /** The upper bound of the random pause before the second attempt. Doubles with each further attempt. */
    @WithDefault("50ms")
    Duration backoffBase();

    /** The highest upper bound of the random pause. */
    @WithDefault("1s")
    Duration backoffMax();

    /** Whether to create a missing table at start. For development; in production the table is only checked. */
    @WithDefault("false")
    boolean tableCreate();

    /** Concurrent deletions of the sweeper. */
    @WithDefault("4")
    int sweepParallelMax();
}

package io.holdfast.store.dynamodb.call;

import java.time.Duration;

/** The DynamoDB store's patience, chosen by a test. */
public record DynamoDbSettings(int attemptsMax, Duration attemptTimeout) implements DynamoDbConfig {
    public static final DynamoDbSettings DEFAULT = new DynamoDbSettings(4, Duration.ofSeconds(60));

    @Override
    public Duration backoffBase() {
        return Duration.ofMillis(1);
    }

    @Override
    public Duration backoffMax() {
        return Duration.ofMillis(10);
    }

    @Override
    public boolean tableCreate() {
        return true;
    }

    @Override
    public int sweepParallelMax() {
        return 4;
    }
}

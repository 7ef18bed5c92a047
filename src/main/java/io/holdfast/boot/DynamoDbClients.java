package io.holdfast.boot;

import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** The DynamoDB client without the SDK's own retries: the store retries, because it must know what is in doubt. */
final class DynamoDbClients {
    @Produces
    @Singleton
    DynamoDbAsyncClient client(DynamoDbAsyncClientBuilder builder) {
        return builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                        .retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .build())
                .build();
    }

    void close(@Disposes DynamoDbAsyncClient client) {
        client.close();
    }
}

package io.holdfast.boot.aws;

import io.holdfast.kernel.CannotStartException;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/**
 * The DynamoDB client, without retries of the SDK. The store retries, because it must know which writes are in doubt.
 */
final class DynamoDbClients {
    /** How the SDK's message starts. The rest lists all places that it has searched. */
    private static final String NO_REGION = "Unable to load region";

    private static final Duration CREDENTIALS_MAX = Duration.ofSeconds(10);

    @Produces
    @Singleton
    AwsCredentialsProvider identity() {
        return new AwsIdentity();
    }

    void close(@Disposes AwsCredentialsProvider identity) {
        ((AwsIdentity) identity).close();
    }

    @Produces
    @Singleton
    @Typed(KeptCredentials.class)
    KeptCredentials kept(AwsCredentialsProvider identity, InstantSource clock) {
        var thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("aws-credentials").factory());
        return new KeptCredentials(identity, thread, clock).start(CREDENTIALS_MAX);
    }

    void close(@Disposes KeptCredentials kept) {
        kept.close();
    }

    /** Keeps credentials that are configured with {@code quarkus.dynamodb.aws.credentials.type}. */
    @Produces
    @Singleton
    DynamoDbAsyncClient client(
            DynamoDbAsyncClientBuilder builder,
            Instance<KeptCredentials> kept,
            @ConfigProperty(name = "quarkus.dynamodb.aws.credentials.type", defaultValue = "default") String type) {
        if (type.equalsIgnoreCase("default")) {
            builder.credentialsProvider(kept.get());
        }
        builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry())
                .build());
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw String.valueOf(e.getMessage()).startsWith(NO_REGION)
                    ? new CannotStartException(TableFailures.noRegion(e).getMessage(), e)
                    : e;
        }
    }

    void close(@Disposes DynamoDbAsyncClient client) {
        client.close();
    }
}

package io.holdfast.boot.aws;

import io.holdfast.boot.aws.DynamoDbTableAdmin.UnreachableException;
import io.holdfast.kernel.Durations;
import io.holdfast.remote.Excerpt;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.quarkus.runtime.ImageMode;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A DynamoDB client without Quarkus, with its threads. All threads are daemons, so that the program can exit once it
 * has its answer.
 */
final class TableClient implements AutoCloseable {
    /** With three attempts, an unreachable DynamoDB is reported within ten seconds. */
    static final Duration CALL_MAX_DEFAULT = Duration.ofSeconds(3);

    /** Longer than the SDK waits for EC2 metadata on a machine outside EC2. */
    private static final Duration IDENTITY_MAX = Duration.ofSeconds(10);

    private final DynamoDbAsyncClient dynamoDb;
    private final Region region;
    private final Threads threads;

    private TableClient(DynamoDbAsyncClient dynamoDb, Region region, Threads threads) {
        this.dynamoDb = dynamoDb;
        this.region = region;
        this.threads = threads;
    }

    /** @param callMax how long one answer may take */
    record Patience(Duration callMax) implements DynamoDbConfig {
        @Override
        public int attemptsMax() {
            return 3;
        }

        /** Shorter than a call, so that the failure names the connection. */
        Duration connectMax() {
            return callMax.multipliedBy(2).dividedBy(3);
        }

        Duration identityMax() {
            return Durations.max(IDENTITY_MAX, callMax);
        }

        Duration allAttemptsMax() {
            return attemptTimeout().plus(backoffMax()).multipliedBy(attemptsMax());
        }

        @Override
        public Duration attemptTimeout() {
            // The SDK times out earlier and cancels the call.
            return callMax.plusMillis(200);
        }

        @Override
        public Duration backoffBase() {
            return Duration.ofMillis(50);
        }

        @Override
        public Duration backoffMax() {
            return Duration.ofMillis(250);
        }

        @Override
        public boolean tableCreate() {
            return true;
        }

        @Override
        public int sweepParallelMax() {
            return 1;
        }
    }

    static TableClient open(Map<String, String> environment, Patience patience) {
        var threads = Threads.start();
        try {
            var region = region(environment, threads, patience.identityMax());
            var builder = DynamoDbAsyncClient.builder()
                    .region(region)
                    .credentialsProvider(StaticCredentialsProvider.create(credentials(threads, patience.identityMax())))
                    .httpClientBuilder(NettyNioAsyncHttpClient.builder()
                            .eventLoopGroup(threads.eventLoop())
                            .connectionTimeout(patience.connectMax()))
                    .asyncConfiguration(async -> async.advancedOption(
                            SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, threads.executor()))
                    // As in the service, DynamoDbCalls retries.
                    .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry())
                            .apiCallTimeout(patience.callMax()));
            endpoint(environment).ifPresent(builder::endpointOverride);
            return new TableClient(builder.build(), region, threads);
        } catch (RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    DynamoDbAsyncClient dynamoDb() {
        return dynamoDb;
    }

    /** The endpoint or region, for error sentences. */
    String place() {
        return dynamoDb.serviceClientConfiguration()
                .endpointOverride()
                .map(endpoint -> "at " + endpoint)
                .orElse("in " + region.id());
    }

    @Override
    public void close() {
        dynamoDb.close();
        threads.close();
    }

    private static Region region(Map<String, String> environment, Threads threads, Duration max) {
        return Stream.of("QUARKUS_DYNAMODB_AWS_REGION", "AWS_REGION", "AWS_DEFAULT_REGION")
                .flatMap(name -> value(environment, name).stream())
                .findFirst()
                .map(Region::of)
                .orElseGet(() -> threads.within(
                        max,
                        () -> DefaultAwsRegionProviderChain.builder().build().getRegion(),
                        TableFailures::noRegion));
    }

    private static Optional<URI> endpoint(Map<String, String> environment) {
        var name = "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE";
        return value(environment, name).map(text -> {
            try {
                var endpoint = URI.create(text);
                if (endpoint.getScheme() != null && endpoint.getHost() != null) {
                    return endpoint;
                }
            } catch (IllegalArgumentException e) {
                // Refused below, like a URL without a host.
            }
            throw new UnreachableException(
                    name + " must be a URL such as http://localhost:8000, and is " + Excerpt.of(text) + ".", null);
        });
    }

    private static AwsCredentials credentials(Threads threads, Duration max) {
        var identity = new AwsIdentity();
        try {
            return threads.within(max, identity::resolveCredentials, TableFailures::noCredentials);
        } finally {
            identity.close();
        }
    }

    /** The value of a variable; none if it is blank. */
    static Optional<String> value(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /**
     * The threads of the client, which Mutiny uses as well while the client is open. Without Quarkus, Mutiny's own
     * executor has no daemon threads. In a native program it dates from the build and does not run.
     *
     * @param before Mutiny's own executor, restored on close
     */
    private record Threads(ScheduledExecutorService executor, SdkEventLoopGroup eventLoop, Executor before) {
        private static final int COUNT = 3;

        static Threads start() {
            if (ImageMode.current() == ImageMode.JVM) {
                // Otherwise the JVM warns on stderr about Netty's use of Unsafe. A native program does not warn.
                System.getProperties().putIfAbsent("io.netty.noUnsafe", "true");
            }
            var executor = Executors.newScheduledThreadPool(
                    COUNT, Thread.ofPlatform().daemon().name("table-", 0).factory());
            var eventLoop = SdkEventLoopGroup.builder()
                    .numberOfThreads(1)
                    .threadFactory(
                            Thread.ofPlatform().daemon().name("table-netty").factory())
                    .build();
            var before = Infrastructure.getDefaultExecutor();
            Infrastructure.setDefaultExecutor(executor, false);
            return new Threads(executor, eventLoop, before);
        }

        <T> T within(Duration max, Callable<T> work, Function<Throwable, UnreachableException> failed) {
            var result = executor.submit(work);
            try {
                return result.get(max.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                throw failed.apply(e.getCause());
            } catch (TimeoutException e) {
                throw failed.apply(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failed.apply(e);
            }
        }

        /** Does not wait for pending work. */
        void close() {
            Infrastructure.setDefaultExecutor(before, false);
            eventLoop.eventLoopGroup().shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            executor.shutdownNow();
        }
    }
}

package io.holdfast.actuator;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;

/** One client of an AWS service per region, created on first use. */
final class AwsClients<C extends SdkClient, B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>>
        implements AutoCloseable {
    static final int REGIONS_MAX = 64;

    private final Supplier<B> builder;
    private final Access access;
    private final Map<Optional<String>, C> clients = new HashMap<>();

    AwsClients(Supplier<B> builder, Access access) {
        this.builder = builder;
        this.access = access;
    }

    record Access(AwsCredentialsProvider credentials, Optional<URI> endpoint, Duration timeout) {}

    /** @throws SdkClientException if no region is given or configured, or there are too many */
    synchronized C in(Optional<String> region) {
        var known = clients.get(region);
        if (known != null) {
            return known;
        }
        if (clients.size() >= REGIONS_MAX) {
            throw SdkClientException.create("at most " + REGIONS_MAX + " regions can be used");
        }
        var created = create(region);
        clients.put(region, created);
        return created;
    }

    private C create(Optional<String> region) {
        var http = UrlConnectionHttpClient.builder()
                .connectionTimeout(access.timeout())
                .socketTimeout(access.timeout());
        var client = builder.get()
                .credentialsProvider(access.credentials())
                .httpClientBuilder(http)
                // The caller retries the order; retries of the SDK could exceed its timeout.
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .apiCallTimeout(access.timeout())
                        .apiCallAttemptTimeout(access.timeout()));
        region.map(Region::of).ifPresent(client::region);
        access.endpoint().ifPresent(client::endpointOverride);
        return client.build();
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(SdkClient::close);
        clients.clear();
    }
}

package io.holdfast.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Reads objects of the Kubernetes API. Whatever is not a JSON object with status 200 is a failure. */
final class KubernetesApi implements AutoCloseable {
    private static final int BYTES_MAX = 256 * 1024;

    private final URI url;
    private final Duration connectMax;
    private final KubernetesCredentials credentials;
    private final StrictJson json = new StrictJson();
    private HttpClient client;
    private Optional<KubernetesCredentials.Authorities> authorities = Optional.empty();

    KubernetesApi(URI url, Duration connectMax, KubernetesCredentials credentials) {
        this.url = url;
        this.connectMax = connectMax;
        this.credentials = credentials;
    }

    /** Reading files and certificates may block, so it is done by a worker. */
    Uni<JsonNode> get(String pathAndQuery) {
        return Uni.createFrom()
                .item(() -> new Call(client(), request(pathAndQuery)))
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                .chain(call -> HttpCalls.document(call.client(), call.request(), BYTES_MAX))
                .map(this::object);
    }

    private record Call(HttpClient client, HttpRequest request) {}

    private HttpRequest request(String pathAndQuery) {
        var request = HttpRequest.newBuilder(Urls.below(url, pathAndQuery)).header("Accept", "application/json");
        if (isSecure()) {
            credentials.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        }
        return request.build();
    }

    /** A client keeps the authorities it was made with, so other ones need another client. */
    private synchronized HttpClient client() {
        var wanted = isSecure() ? credentials.authorities() : Optional.<KubernetesCredentials.Authorities>empty();
        if (client == null || !wanted.equals(authorities)) {
            var builder = HttpCalls.client(connectMax);
            wanted.ifPresent(given -> builder.sslContext(given.context()));
            close();
            client = builder.build();
            authorities = wanted;
        }
        return client;
    }

    private boolean isSecure() {
        return "https".equals(url.getScheme());
    }

    private JsonNode object(HttpResponse<byte[]> response) {
        return switch (response.statusCode()) {
            case 200 -> json.object(response.body());
            case 401 -> throw new CannotTellException("the Kubernetes API does not know our token (401)");
            case 403 -> throw new CannotTellException("the Kubernetes API does not let us look (403)");
            case 404 -> throw new CannotTellException("the Kubernetes API knows no such workload (404)");
            default -> throw new CannotTellException("the Kubernetes API answered with " + response.statusCode());
        };
    }

    /** What is under way ends by itself. */
    @Override
    public synchronized void close() {
        if (client != null) {
            client.shutdown();
        }
    }
}

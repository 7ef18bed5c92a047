package io.holdfast.cli.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.kernel.Durations;
import io.holdfast.remote.Authorities;
import io.holdfast.remote.BaseUrl;
import io.holdfast.remote.UnusableSettingException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Calls the service. A request without an answer ends in a {@link CliException}; a refusal is an {@link ApiResponse}. */
public final class ApiClient implements AutoCloseable {
    public static final String CA_VARIABLE = "HOLDFAST_CA_FILE";

    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final Duration CLOSE_MAX = Duration.ofMillis(200);

    private final String name;
    private final BaseUrl server;
    private final Timeouts timeouts;
    private final CallFailures failures;
    private final HttpClient client;
    private final ObjectMapper json = new ObjectMapper()
            // A newer service may send fields that this client does not know.
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            // Params and results are passed on with all their digits.
            .configure(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, true)
            .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    public ApiClient(String server, Timeouts timeouts) {
        this(server, timeouts, Optional.empty());
    }

    /** @param caFile the only certificate authorities to trust; if empty, those that the machine trusts */
    public ApiClient(String server, Timeouts timeouts, Optional<Path> caFile) {
        this.name = server;
        this.server = base(server);
        this.timeouts = timeouts;
        this.failures = new CallFailures(server);
        var builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Durations.min(timeouts.answerMax(), CONNECT_MAX));
        if (!this.server.isSecure()) {
            // Saves the time to read the machine's trusted certificates, which plain HTTP does not need.
            builder.sslContext(trusting());
        } else if (caFile.isPresent()) {
            builder.sslContext(trusting(authorities(caFile.get())));
        }
        this.client = builder.build();
    }

    private static TrustManager authorities(Path caFile) {
        try {
            return Authorities.in(CA_VARIABLE, caFile).trust();
        } catch (UnusableSettingException e) {
            throw new CliException(Exit.USAGE, e.getMessage() + ".");
        }
    }

    private static SSLContext trusting(TrustManager... managers) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static BaseUrl base(String server) {
        try {
            return BaseUrl.of("The server", URI.create(server));
        } catch (IllegalStateException | IllegalArgumentException e) {
            // Does not repeat the URL, which may contain a password.
            throw new CliException(
                    Exit.USAGE,
                    "--server, or HOLDFAST_URL, must be a URL like http://localhost:8080,"
                            + " without credentials, query and fragment.");
        }
    }

    public String server() {
        return name;
    }

    public Duration answerMax() {
        return timeouts.answerMax();
    }

    public ApiResponse get(String path) {
        return get(path, Duration.ZERO);
    }

    /** @param longer added to the timeout, unless the user has set one */
    public ApiResponse get(String path, Duration longer) {
        return send(request(path).GET(), timeouts.forSlow(longer));
    }

    public ApiResponse delete(String path) {
        return delete(path, answerMax());
    }

    public ApiResponse delete(String path, Duration timeout) {
        return send(request(path).DELETE(), timeout);
    }

    public ApiResponse put(String path, Object body) {
        return send(with(request(path), "PUT", body), answerMax());
    }

    public ApiResponse post(String path, Object body) {
        return post(path, body, Duration.ZERO);
    }

    /** @param longer added to the timeout, unless the user has set one */
    public ApiResponse post(String path, Object body, Duration longer) {
        return send(with(request(path), "POST", body), timeouts.forSlow(longer));
    }

    /**
     * Does not block. The future fails with a {@link CliException}.
     *
     * @param wait how long the service may wait for a lock; it is added to the timeout
     */
    public CompletableFuture<ApiResponse> postLater(String path, Object body, Duration wait) {
        var timeout = answerMax().plus(wait);
        var sent = System.nanoTime();
        return client.sendAsync(
                        with(request(path), "POST", body).timeout(timeout).build(), BodyHandlers.ofByteArray())
                .handle((response, failure) -> {
                    if (failure != null) {
                        throw failures.unanswered(failure, timeout, false);
                    }
                    return answer(response, sent);
                });
    }

    /** Completes when the response head arrives; the handler reads the body. */
    <T> CompletableFuture<HttpResponse<T>> stream(
            String path, Map<String, String> headers, HttpResponse.BodyHandler<T> handler) {
        // A timeout of the request would also end the stream.
        var request = request(path).setHeader("Accept", EventLines.MEDIA_TYPE).GET();
        headers.forEach(request::setHeader);
        return client.sendAsync(request.build(), handler);
    }

    public <T> T read(JsonNode body, Class<T> type) {
        try {
            return json.treeToValue(body, type);
        } catch (JsonProcessingException e) {
            throw failures.notHoldfast(e);
        }
    }

    CallFailures failures() {
        return failures;
    }

    JsonNode parse(String text) throws JsonProcessingException {
        return json.readTree(text);
    }

    JsonNode tree(Object value) {
        return json.valueToTree(value);
    }

    /** Joins the segments. A slash within a segment is encoded. */
    public static String path(String... segments) {
        return Arrays.stream(segments).map(segment -> "/" + encoded(segment)).collect(Collectors.joining());
    }

    /** Leaves out parameters whose value is null. */
    public static String query(Map<String, ?> parameters) {
        var query = parameters.entrySet().stream()
                .filter(parameter -> parameter.getValue() != null)
                .map(parameter ->
                        parameter.getKey() + "=" + encoded(parameter.getValue().toString()))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Ends the client's threads, because the exit of the virtual machine would wait 0.3 s for them. */
    @Override
    public void close() {
        client.shutdownNow();
        try {
            client.awaitTermination(CLOSE_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.below(path)).header("Accept", "application/json");
    }

    private HttpRequest.Builder with(HttpRequest.Builder request, String method, Object body) {
        try {
            return body == null
                    ? request.method(method, BodyPublishers.noBody())
                    : request.header("Content-Type", "application/json")
                            .method(method, BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private ApiResponse send(HttpRequest.Builder builder, Duration timeout) {
        var request = builder.timeout(timeout).build();
        var sent = System.nanoTime();
        try {
            return answer(client.send(request, BodyHandlers.ofByteArray()), sent);
        } catch (IOException e) {
            throw failures.unanswered(e, timeout, request.method().equals("GET"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(Exit.FAILED, "Interrupted.");
        }
    }

    /** @throws CliException if the response is a success that does not come from Holdfast, such as a proxy's page */
    ApiResponse answer(HttpResponse<byte[]> response, long sentNanos) {
        JsonNode body;
        try {
            body = json.readTree(response.body());
        } catch (IOException e) {
            body = MissingNode.getInstance();
        }
        var isHoldfast = response.statusCode() == 204 || isJson(response);
        if (response.statusCode() / 100 == 2 && !isHoldfast) {
            throw failures.notHoldfast(null);
        }
        return new ApiResponse(
                response.statusCode(), isHoldfast ? body : MissingNode.getInstance(), name, date(response), sentNanos);
    }

    private static boolean isJson(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Content-Type")
                .filter(type -> type.startsWith("application/json") || type.startsWith(ProblemBody.MEDIA_TYPE))
                .isPresent();
    }

    private static Optional<Instant> date(HttpResponse<?> response) {
        return response.headers().firstValue("Date").flatMap(date -> {
            try {
                return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        });
    }
}

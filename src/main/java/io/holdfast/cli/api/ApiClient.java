package io.holdfast.cli.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.token.NoToken;
import io.holdfast.cli.token.Token;
import io.holdfast.cli.token.TokenSource;
import io.holdfast.kernel.Durations;
import io.holdfast.remote.BaseUrl;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** Calls the service. A request without an answer ends in a {@link CliException}; a refusal is an {@link ApiResponse}. */
public final class ApiClient implements AutoCloseable {
    private static final int UNAUTHENTICATED = 401;
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final Duration CLOSE_MAX = Duration.ofMillis(200);

    private final String name;
    private final BaseUrl server;
    private final Timeouts timeouts;
    private final CallFailures failures;
    private final TokenSource tokens;
    private final HttpClient client;
    /** Whether the service has accepted a token of this command. */
    private volatile boolean accepted;

    private final ObjectMapper json = new ObjectMapper()
            // A newer service may send fields that this client does not know.
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            // Params and results are passed on with all their digits.
            .configure(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, true)
            .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    /** Without a token. */
    public ApiClient(String server, Timeouts timeouts) {
        this(server, timeouts, TlsFiles.NONE, new NoToken());
    }

    public ApiClient(String server, Timeouts timeouts, TlsFiles tls, TokenSource tokens) {
        this.name = server;
        this.server = base(server);
        this.timeouts = timeouts;
        this.tokens = tokens;
        this.failures = new CallFailures(server);
        var builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                // The token is for this server only.
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Durations.min(timeouts.answerMax(), CONNECT_MAX));
        if (this.server.isSecure()) {
            tls.context().ifPresent(builder::sslContext);
        } else {
            builder.sslContext(TlsFiles.trustingNone());
        }
        this.client = builder.build();
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

    /** Whether requests cross a network without encryption. */
    public boolean isInClear() {
        return !server.isSecure() && !server.isLoopback();
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
        return call(with(request(path), "POST", body).timeout(timeout), BodyHandlers.ofByteArray())
                .handle((answer, failure) -> {
                    if (failure != null) {
                        throw failures.unanswered(failure, timeout, false);
                    }
                    return response(answer);
                });
    }

    /** Completes when the response head arrives; the handler reads the body. */
    <T> AuthorizedCall<T> stream(String path, Map<String, String> headers, HttpResponse.BodyHandler<T> handler) {
        // A timeout of the request would also end the stream.
        var request = request(path).setHeader("Accept", EventLines.MEDIA_TYPE).GET();
        headers.forEach(request::setHeader);
        return call(request, handler);
    }

    private <T> AuthorizedCall<T> call(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
        return new AuthorizedCall<>(client, tokens, request, handler).start();
    }

    /**
     * Whether there is a newer token than this one, and the service accepts it. Does not block. The future never fails.
     */
    CompletableFuture<Boolean> isReplaced(Token token) {
        return CompletableFuture.supplyAsync(
                        () -> tokens.current().filter(now -> !now.equals(token)).isPresent(),
                        task -> Thread.ofPlatform().daemon().name("token").start(task))
                .thenCompose(isOther -> isOther ? isTokenAccepted() : CompletableFuture.completedFuture(false))
                .exceptionally(unknown -> false);
    }

    private CompletableFuture<Boolean> isTokenAccepted() {
        return call(request("/v1/access/me").timeout(answerMax()).GET(), BodyHandlers.discarding())
                .handle((answer, failure) -> failure == null
                        && answer.response().statusCode() != UNAUTHENTICATED
                        && answer.response().statusCode() < 500);
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

    private ApiResponse send(HttpRequest.Builder request, Duration timeout) {
        var call = call(request.timeout(timeout), BodyHandlers.ofByteArray());
        try {
            return response(call.answer().get());
        } catch (ExecutionException e) {
            throw failures.unanswered(
                    e.getCause(), timeout, request.build().method().equals("GET"));
        } catch (InterruptedException e) {
            call.cancel();
            Thread.currentThread().interrupt();
            throw new CliException(Exit.FAILED, "Interrupted.");
        }
    }

    /** @throws CliException if the response is a success that does not come from Holdfast, such as a proxy's page */
    ApiResponse response(AuthorizedCall.Answer<byte[]> answer) {
        var response = answer.response();
        JsonNode body;
        try {
            body = json.readTree(response.body());
        } catch (IOException e) {
            body = MissingNode.getInstance();
        }
        var status = response.statusCode();
        var isHoldfast = status == 204 || ResponseHead.isJson(response);
        if (status / 100 == 2 && !isHoldfast) {
            throw failures.notHoldfast(null);
        }
        if (status / 100 != 2 && body instanceof ObjectNode problem) {
            // A proxy may repeat the request in its answer.
            var detail = problem.path("detail").asText();
            answer.token()
                    .filter(token -> !token.hiddenIn(detail).equals(detail))
                    .ifPresent(token -> problem.put("detail", token.hiddenIn(detail)));
        }
        accepted = accepted
                || isHoldfast && status != UNAUTHENTICATED && answer.token().isPresent();
        var date = ResponseHead.date(response);
        var refusal = status == UNAUTHENTICATED
                ? Optional.of(TokenRefusal.of(tokens, answer, date, accepted))
                : Optional.<TokenRefusal>empty();
        return new ApiResponse(
                status, isHoldfast ? body : MissingNode.getInstance(), name, date, answer.sentNanos(), refusal);
    }
}

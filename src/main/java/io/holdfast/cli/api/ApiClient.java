package io.holdfast.cli.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.kernel.Durations;
import io.holdfast.remote.Authorities;
import io.holdfast.remote.BaseUrl;
import io.holdfast.remote.UnusableSettingException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManager;

/** Calls the service. An answer that never came is a {@link CliException}; a refusal is an answer. */
public final class ApiClient implements AutoCloseable {
    public static final String CA_VARIABLE = "HOLDFAST_CA_FILE";

    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private static final Duration CLOSE_MAX = Duration.ofMillis(200);

    private final String name;
    private final BaseUrl server;
    private final Patience patience;
    private final HttpClient client;
    private final ObjectMapper json = new ObjectMapper()
            // A later service may say more than we know of, and what was not said to us is not said by us.
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    public ApiClient(String server, Patience patience) {
        this(server, patience, Optional.empty());
    }

    /** @param caFile the only certificates that the service is believed by; else those that the machine trusts */
    public ApiClient(String server, Patience patience, Optional<Path> caFile) {
        var answerMax = patience.answerMax();
        this.name = server;
        this.server = base(server);
        this.patience = patience;
        var builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Durations.min(answerMax, CONNECT_MAX));
        if (!this.server.isSecure()) {
            // Nothing is encrypted: to read all certificates that a machine trusts takes longer than most answers.
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
            // Not what it says: that may hold a password.
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
        return patience.answerMax();
    }

    public ApiResponse get(String path) {
        return get(path, Duration.ZERO);
    }

    /** @param longer than other answers, unless somebody has chosen how long they may take */
    public ApiResponse get(String path, Duration longer) {
        return send(request(path).GET(), patience.forSlow(longer));
    }

    public ApiResponse delete(String path) {
        return delete(path, answerMax());
    }

    public ApiResponse delete(String path, Duration patience) {
        return send(request(path).DELETE(), patience);
    }

    public ApiResponse put(String path, Object body) {
        return send(with(request(path), "PUT", body), answerMax());
    }

    public ApiResponse post(String path, Object body) {
        return post(path, body, Duration.ZERO);
    }

    /** @param longer than other answers, unless somebody has chosen how long they may take */
    public ApiResponse post(String path, Object body, Duration longer) {
        return send(with(request(path), "POST", body), patience.forSlow(longer));
    }

    /** Fails with a {@link CliException}. The wait comes before what an answer may take. */
    public CompletableFuture<ApiResponse> postLater(String path, Object body, Duration wait) {
        var until = answerMax().plus(wait);
        var asked = System.nanoTime();
        return client.sendAsync(with(request(path), "POST", body).timeout(until).build(), BodyHandlers.ofByteArray())
                .handle((response, failure) -> {
                    if (failure != null) {
                        throw unreachable(failure, until, false);
                    }
                    return answer(response, asked);
                });
    }

    /** Answers as soon as its head has come; whatever follows is the handler's. */
    <T> CompletableFuture<HttpResponse<T>> stream(String path, HttpResponse.BodyHandler<T> handler) {
        // No timeout of its own: it would end the stream as well.
        return client.sendAsync(
                request(path).setHeader("Accept", "text/event-stream").GET().build(), handler);
    }

    public <T> T read(JsonNode body, Class<T> type) {
        try {
            return json.treeToValue(body, type);
        } catch (JsonProcessingException e) {
            throw notHoldfast(e);
        }
    }

    JsonNode parse(String text) throws JsonProcessingException {
        return json.readTree(text);
    }

    JsonNode tree(Object value) {
        return json.valueToTree(value);
    }

    /** The segments, encoded: a slash in a name is part of the name. */
    public static String path(String... segments) {
        return Arrays.stream(segments).map(segment -> "/" + encoded(segment)).collect(Collectors.joining());
    }

    /** A parameter without a value is left out. */
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

    /** A virtual machine that ends gives a thread that listens 0.3 s to come back, so none does by then. */
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

    private ApiResponse send(HttpRequest.Builder builder, Duration patience) {
        var request = builder.timeout(patience).build();
        var asked = System.nanoTime();
        try {
            return answer(client.send(request, BodyHandlers.ofByteArray()), asked);
        } catch (IOException e) {
            throw unreachable(e, patience, request.method().equals("GET"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(Exit.FAILED, "Interrupted.");
        }
    }

    /** A body that is no JSON is nothing that Holdfast said. */
    ApiResponse answer(HttpResponse<byte[]> response, long asked) {
        JsonNode body;
        try {
            body = json.readTree(response.body());
        } catch (IOException e) {
            body = MissingNode.getInstance();
        }
        var spoken = response.statusCode() == 204 || isOurs(response);
        if (response.statusCode() / 100 == 2 && !spoken) {
            throw notHoldfast(null);
        }
        return new ApiResponse(
                response.statusCode(), spoken ? body : MissingNode.getInstance(), name, date(response), asked);
    }

    private static boolean isOurs(HttpResponse<?> response) {
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

    private CliException notHoldfast(Exception cause) {
        var failure = new CliException(Exit.UNAVAILABLE, name + " answers, but not as Holdfast does.");
        failure.initCause(cause);
        return failure;
    }

    /** @param reads whether nothing was asked for that could have happened all the same */
    private CliException unreachable(Throwable thrown, Duration patience, boolean reads) {
        var failure = unwrapped(thrown);
        if (failure instanceof CliException known) {
            return known;
        }
        var noConnection = noConnection(failure);
        if (noConnection.isPresent()) {
            return cannotReach(noConnection.get());
        }
        return switch (failure) {
            case HttpTimeoutException e -> {
                var sentence = "%s did not answer within %s".formatted(name, DurationText.words(patience));
                yield reads
                        ? unavailable(sentence)
                        : CliException.inDoubt(sentence + "; what was asked of it may still happen.");
            }
            case IOException e -> {
                var sentence = "%s broke the connection".formatted(name);
                yield reads
                        ? unavailable(sentence)
                        : CliException.inDoubt(sentence + "; what was asked of it may have happened.");
            }
            default -> throw new IllegalStateException(failure);
        };
    }

    /** Why a connection ended or never came about, for a command that tries again. */
    String outage(Throwable thrown) {
        return noConnection(unwrapped(thrown))
                .map(why -> "%s cannot be reached: %s.".formatted(name, why))
                .orElse(name + " broke the connection.");
    }

    private static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException ? thrown.getCause() : thrown;
    }

    /** Why there never was a connection; empty if there was one. */
    private static Optional<String> noConnection(Throwable failure) {
        return Optional.ofNullable(
                switch (failure) {
                    case HttpConnectTimeoutException e -> "it takes no connection";
                    case ConnectException e when isUnknownHost(e) -> "there is no such host";
                    case ConnectException e -> "connection refused";
                    case SSLException e when isBeforeTheFirstWord(e) -> insecure(e);
                    default -> null;
                });
    }

    private static boolean isUnknownHost(Throwable failure) {
        return failure != null && (failure instanceof UnresolvedAddressException || isUnknownHost(failure.getCause()));
    }

    private static CliException unavailable(String sentence) {
        return new CliException(Exit.UNAVAILABLE, sentence + ".");
    }

    /** No secure connection came about, so nothing was asked of anybody. */
    private static boolean isBeforeTheFirstWord(SSLException failure) {
        var isPlain =
                String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("unrecognized ssl message");
        return failure instanceof SSLHandshakeException || isPlain;
    }

    private static String insecure(SSLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException) {
                return "nobody known has signed its certificate (" + CA_VARIABLE + " names a file of those to trust)";
            }
            if (cause instanceof CertificateException && cause.getCause() == null) {
                return "its certificate is not right: " + Output.oneLine("" + cause.getMessage());
            }
        }
        return "no secure connection: " + Output.oneLine("" + failure.getMessage());
    }

    private CliException cannotReach(String why) {
        return new CliException(
                Exit.UNAVAILABLE, "%s cannot be reached: %s. Is --server or HOLDFAST_URL right?".formatted(name, why));
    }
}

package io.holdfast.access.token;

import io.holdfast.access.file.TrustedIssuer.KeySource;
import io.holdfast.access.token.KeyFetcher.Fetched;
import io.holdfast.remote.Authorities;
import io.holdfast.remote.BearerTokenFile;
import io.holdfast.remote.BlockingWork;
import io.holdfast.remote.Deadline;
import io.holdfast.remote.Failures;
import io.holdfast.remote.HttpCalls;
import io.holdfast.remote.HttpCalls.Answer;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Fetches JSON Web Key Sets over HTTP. Follows no redirect, since the address in the access file is the one to trust.
 * Each fetch has a connection of its own: it is rare, and the certificates to trust may have changed.
 */
public final class JwksClient implements KeyFetcher {
    private static final int OK = 200;

    private final Vertx vertx;
    private final Executor workers;
    private final Duration timeout;
    private final HttpCalls calls;
    private final int bodyMax;

    public JwksClient(Vertx vertx, Executor workers, Duration timeout, int bodyMax) {
        this.vertx = vertx;
        this.workers = workers;
        this.timeout = timeout;
        this.bodyMax = bodyMax;
        this.calls = new HttpCalls(timeout, bodyMax);
    }

    private record Prepared(HttpClient client, HttpCalls.Call call) {}

    @Override
    public Uni<Fetched> fetch(KeySource source) {
        return Uni.createFrom().deferred(() -> BlockingWork.run(workers, Deadline.in(timeout), () -> prepare(source))
                .chain(prepared -> calls.call(prepared.client(), prepared.call())
                        .onTermination()
                        .invoke(prepared.client()::close))
                .emitOn(workers)
                .map(this::keys)
                .onFailure()
                .recoverWithItem(failure -> new Fetched.Failed(Failures.sentence(failure, timeout)))
                .ifNoItem()
                .after(timeout.multipliedBy(2))
                .recoverWithItem(() -> new Fetched.Failed(Failures.noAnswer(timeout))));
    }

    private Prepared prepare(KeySource source) {
        var headers = new HashMap<String, String>();
        headers.put("Accept", "application/json, application/jwk-set+json");
        source.tokenFile()
                .map(file -> new BearerTokenFile("token-file", file).token())
                .ifPresent(token -> headers.put("Authorization", "Bearer " + token));
        var options = new HttpClientOptions().setConnectTimeout(Math.toIntExact(timeout.toMillis()));
        source.caFile()
                .map(file -> Authorities.in("ca-file", file))
                .ifPresent(authorities -> options.setTrustOptions(TrustOptions.wrap(authorities.trust())));
        var call = new HttpCalls.Call(HttpMethod.GET, source.jwks(), headers, Optional.empty());
        return new Prepared(vertx.createHttpClient(options), call);
    }

    private Fetched keys(Answer answer) {
        return switch (answer) {
            case Answer.None none -> new Fetched.Failed(none.reason());
            case Answer.Given given
            when given.status() != OK -> new Fetched.Failed("the answer has the status " + given.status());
            case Answer.Given given
            when !given.whole() -> new Fetched.Failed("the answer is longer than " + bodyMax + " bytes");
            case Answer.Given given ->
                KeySet.parse(given.text())
                        .<Fetched>map(Fetched.Keys::new)
                        .orElseGet(() -> new Fetched.Failed(
                                "the answer is not a JSON Web Key Set of at most " + KeySet.KEYS_MAX + " keys"));
        };
    }
}

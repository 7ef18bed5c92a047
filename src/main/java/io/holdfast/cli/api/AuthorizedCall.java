package io.holdfast.cli.api;

import io.holdfast.cli.token.Token;
import io.holdfast.cli.token.TokenSource;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Sends a request with the current token. If the service answers 401 and there is another token, sends it once more: a 401
 * means that the service has not carried out the request. Never blocks, because a token may come from a slow file or command.
 */
final class AuthorizedCall<T> {
    private static final int UNAUTHENTICATED = 401;

    private final HttpClient client;
    private final TokenSource tokens;
    private final HttpRequest.Builder request;
    private final HttpResponse.BodyHandler<T> handler;
    private final CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
    private CompletableFuture<HttpResponse<T>> sent;
    private Optional<Token> sentToken = Optional.empty();
    private boolean cancelled;

    /**
     * @param token the one that was sent last
     * @param sentNanos when it was sent, by {@link System#nanoTime()}
     * @param notRenewed why there is no other token, if the service has refused this one and that is known
     */
    record Answer<T>(HttpResponse<T> response, Optional<Token> token, long sentNanos, Optional<String> notRenewed) {}

    AuthorizedCall(
            HttpClient client, TokenSource tokens, HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
        this.client = client;
        this.tokens = tokens;
        this.request = request;
        this.handler = handler;
    }

    AuthorizedCall<T> start() {
        background(() -> send(tokens.current(), true));
        return this;
    }

    /** Fails as the HTTP client does, or with a {@link io.holdfast.cli.output.CliException} if there is no token. */
    CompletableFuture<Answer<T>> answer() {
        return answer;
    }

    /** The token that was sent last. */
    synchronized Optional<Token> token() {
        return sentToken;
    }

    /** As {@link CompletableFuture#handle}, but if the result is cancelled, the connection is closed. */
    <R> CompletableFuture<R> handle(BiFunction<Answer<T>, Throwable, R> handled) {
        var result = new CompletableFuture<R>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                var isCancelled = super.cancel(mayInterrupt);
                AuthorizedCall.this.cancel();
                return isCancelled;
            }
        };
        answer.handle(handled).whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    /** Closes the connection. A request that has not been sent yet is not sent. */
    void cancel() {
        CompletableFuture<HttpResponse<T>> current;
        synchronized (this) {
            cancelled = true;
            current = sent;
        }
        if (current != null) {
            current.cancel(true);
        }
        answer.cancel(true);
    }

    private void background(Runnable step) {
        Runnable guarded = () -> {
            try {
                step.run();
            } catch (RuntimeException failure) {
                answer.completeExceptionally(failure);
            }
        };
        if (tokens.isRenewable()) {
            Thread.ofPlatform().daemon().name("token").start(guarded);
        } else {
            guarded.run();
        }
    }

    private void send(Optional<Token> token, boolean mayRenew) {
        CompletableFuture<HttpResponse<T>> exchange;
        long sentNanos;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            token.ifPresent(known -> request.setHeader("Authorization", known.header()));
            sentToken = token;
            sentNanos = System.nanoTime();
            exchange = client.sendAsync(request.build(), handler);
            sent = exchange;
        }
        exchange.whenComplete((response, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (response.statusCode() == UNAUTHENTICATED && mayRenew && token.isPresent()) {
                background(() -> renew(token.get(), new Answer<>(response, token, sentNanos, Optional.empty())));
            } else {
                answer.complete(new Answer<>(response, token, sentNanos, Optional.empty()));
            }
        });
    }

    private void renew(Token refused, Answer<T> refusal) {
        switch (tokens.renewed(refused)) {
            case TokenSource.Renewal.Replaced(Token next) -> send(Optional.of(next), false);
            case TokenSource.Renewal.Unchanged unchanged -> answer.complete(refusal);
            case TokenSource.Renewal.Failed(String why) ->
                answer.complete(
                        new Answer<>(refusal.response(), refusal.token(), refusal.sentNanos(), Optional.of(why)));
        }
    }
}

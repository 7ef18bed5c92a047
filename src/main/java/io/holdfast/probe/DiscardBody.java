package io.holdfast.probe;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Refuses the body of a response. The client then closes the connection, so that later bytes from the app cannot be
 * read as the response to another request.
 *
 * <p>The client closes the connection when its subscription is cancelled. A 204 has no body and a subscription without
 * effect; there it closes the connection because {@link #getBody} fails.
 */
final class DiscardBody implements BodySubscriber<Void> {
    @Override
    public CompletionStage<Void> getBody() {
        return CompletableFuture.failedFuture(new CancellationException("The body is not read."));
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.cancel();
    }

    @Override
    public void onNext(List<ByteBuffer> item) {}

    @Override
    public void onError(Throwable throwable) {}

    @Override
    public void onComplete() {}
}

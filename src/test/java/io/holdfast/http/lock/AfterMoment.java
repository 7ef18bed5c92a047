package io.holdfast.http.lock;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Lets something happen as soon as the moment has come, while the test goes on. */
final class AfterMoment {
    private final CompletableFuture<Void> happening;

    AfterMoment(Runnable what, Callable<Boolean> moment) {
        happening = CompletableFuture.runAsync(() -> {
            await().until(moment);
            what.run();
        });
    }

    /** Waits until it has. */
    void join() {
        happening.join();
    }
}

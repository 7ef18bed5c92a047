package io.holdfast.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Who goes and who waits, step by step on one thread. */
class AsyncBulkheadTest {
    private final AsyncBulkhead turns = new AsyncBulkhead(2);
    private final List<String> started = new ArrayList<>();

    @Test
    void onlySoManyGoAtOnce() {
        run("a", new CompletableFuture<>());
        run("b", new CompletableFuture<>());
        run("c", new CompletableFuture<>());

        assertThat(started).containsExactly("a", "b");
    }

    @Test
    void theLongestWaitingIsNext() {
        var first = new CompletableFuture<String>();
        run("a", first);
        run("b", new CompletableFuture<>());
        run("c", new CompletableFuture<>());
        run("d", new CompletableFuture<>());
        first.complete("done");

        assertThat(started).containsExactly("a", "b", "c");
    }

    @Test
    void aTurnThatNobodyWaitsForIsKeptForTheNext() {
        run("a", CompletableFuture.completedFuture("done"));
        run("b", CompletableFuture.completedFuture("done"));
        run("c", new CompletableFuture<>());
        run("d", new CompletableFuture<>());
        run("e", new CompletableFuture<>());

        assertThat(started).containsExactly("a", "b", "c", "d");
    }

    @Test
    void workThatFailsGivesItsTurnOn() {
        var first = new CompletableFuture<String>();
        run("a", first);
        run("b", new CompletableFuture<>());
        run("c", new CompletableFuture<>());
        first.completeExceptionally(new IllegalStateException("broken"));

        assertThat(started).containsExactly("a", "b", "c");
    }

    @Test
    void workThatCannotEvenStartGivesItsTurnOn() {
        for (var i = 0; i < 5; i++) {
            subscribe(() -> {
                throw new IllegalStateException("broken");
            });
        }
        run("a", new CompletableFuture<>());
        run("b", new CompletableFuture<>());

        assertThat(started).containsExactly("a", "b");
    }

    @Test
    void cancelledWorkGivesItsTurnOnOnce() {
        var first = run("a", new CompletableFuture<>());
        run("b", new CompletableFuture<>());
        run("c", new CompletableFuture<>());
        run("d", new CompletableFuture<>());
        first.cancel();
        first.cancel();

        assertThat(started).containsExactly("a", "b", "c");
    }

    @Test
    void oneThatStopsWaitingIsPassedOver() {
        var first = run("a", new CompletableFuture<>());
        run("b", new CompletableFuture<>());
        var leaving = run("c", new CompletableFuture<>());
        run("d", new CompletableFuture<>());
        leaving.cancel();
        assertThat(started).containsExactly("a", "b");
        first.cancel();

        assertThat(started).containsExactly("a", "b", "d");
    }

    @Test
    void workThatHasWaitedTooLongIsNotStarted() {
        var first = run("a", new CompletableFuture<>());
        run("b", new CompletableFuture<>());
        var late = turns.<String>run(Duration.ofMillis(1), () -> new IllegalStateException("too long"), () -> {
                    started.add("late");
                    return Uni.createFrom().item("done");
                })
                .subscribe()
                .withSubscriber(UniAssertSubscriber.create());
        late.awaitFailure(Duration.ofMinutes(2)).assertFailedWith(IllegalStateException.class, "too long");
        first.cancel();
        run("c", new CompletableFuture<>());

        assertThat(started).containsExactly("a", "b", "c");
    }

    private UniAssertSubscriber<String> run(String name, CompletableFuture<String> work) {
        return subscribe(() -> {
            started.add(name);
            return Uni.createFrom().completionStage(work);
        });
    }

    private UniAssertSubscriber<String> subscribe(Supplier<Uni<? extends String>> work) {
        return turns.run(work).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}

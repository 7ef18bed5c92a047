package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.port.AppProbe.Result;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The two bounds of a look, step by step on one thread. */
class ProbeRunnerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LOOK_MAX = Duration.ofSeconds(20);
    private static final Result TOO_LONG = Result.unknown("no result within 20000 ms, including the time in the queue");
    private static final Result SEEN = new Result(UP, Optional.of(200), "seen");

    private final FakeScheduler timers = new FakeScheduler();
    private final ProbeRunner looks = new ProbeRunner(1, new ProbeRunner.Bounds(TIMEOUT, LOOK_MAX), timers);
    private final List<String> started = new ArrayList<>();

    @Test
    void oneThatWaitsTooLongForItsTurnIsUnknownAndLeavesTheLine() {
        var first = new CompletableFuture<Result>();
        look("a", first);
        var waiting = look("b", new CompletableFuture<>());
        var next = look("c", CompletableFuture.completedFuture(SEEN));
        timers.goesOff(LOOK_MAX, 1);

        waiting.assertCompleted().assertItem(TOO_LONG);
        assertThat(started).containsExactly("a");

        first.complete(SEEN);
        next.assertCompleted().assertItem(SEEN);
        assertThat(started).containsExactly("a", "c");
    }

    @Test
    void turnsAfterOneThatLeftAreAsManyAsBefore() {
        var first = new CompletableFuture<Result>();
        look("a", first);
        look("b", new CompletableFuture<>());
        timers.goesOff(LOOK_MAX, 1);
        first.complete(SEEN);
        look("c", new CompletableFuture<>());
        look("d", new CompletableFuture<>());

        assertThat(started).containsExactly("a", "c");
    }

    @Test
    void oneWhoseTimeIsOverInTheMiddleOfItsTurnGivesItOn() {
        var slow = look("a", new CompletableFuture<>());
        look("b", new CompletableFuture<>());
        timers.goesOff(LOOK_MAX, 0);

        slow.assertCompleted().assertItem(TOO_LONG);
        assertThat(started).containsExactly("a", "b");
    }

    @Test
    void theTimeOfTheLookItselfRunsFromItsTurn() {
        var first = new CompletableFuture<Result>();
        look("a", first);
        var second = look("b", new CompletableFuture<>());
        first.complete(SEEN);
        timers.goesOff(TIMEOUT, 1);

        second.assertCompleted().assertItem(Result.unknown("no answer within 3000 ms"));
    }

    @Test
    void aVerdictInTimeStands() {
        var look = look("a", CompletableFuture.completedFuture(SEEN));
        timers.goesOff(LOOK_MAX, 0);
        timers.goesOff(TIMEOUT, 0);

        look.assertCompleted().assertItem(SEEN);
    }

    private UniAssertSubscriber<Result> look(String name, CompletableFuture<Result> verdict) {
        return looks.run(() -> {
                    started.add(name);
                    return Uni.createFrom().completionStage(verdict);
                })
                .subscribe()
                .withSubscriber(UniAssertSubscriber.create());
    }
}

package io.holdfast.lock.queue;

import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockService;
import io.holdfast.lock.LockSettings;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.smallrye.mutiny.Uni;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** First come, first served, on a real store and with real timers. */
public abstract class FairnessContract {
    protected static final LockRules RULES = new LockRules(Fixtures.SKEW, Fixtures.RETENTION, 64, true);

    private static final int WAITERS = 64;
    private static final int HOT_CLIENTS = 40;
    private static final int HOT_ROUNDS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final InstantSource clock = Clock.tickMillis(ZoneOffset.UTC);
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final LinkedBlockingQueue<Boolean> joined = new LinkedBlockingQueue<>();

    /** The stores of all replicas, on the same locks. */
    protected abstract List<LockStore> replicas();

    @AfterEach
    void stopTimers() {
        scheduler.shutdownNow();
    }

    /** Each gives the lock back as soon as it has it, at whichever replica it is. */
    @Test
    void sixtyFourWaitersAreGrantedTheLockInTheOrderOfTheirArrival() throws Exception {
        var services = replicas().stream().map(this::service).toList();
        var name = aName();
        var first = granted(await(services.getFirst().acquire(wish(name, "holder", Duration.ZERO)))
                .answer());
        var order = Collections.synchronizedList(new ArrayList<Lease>());
        var done = new ArrayList<CompletableFuture<?>>();
        for (var i = 0; i < WAITERS; i++) {
            var service = services.get(i % services.size());
            done.add(service.acquire(wish(name, "w" + i, PATIENCE))
                    .map(at -> granted(at.answer()))
                    .invoke(order::add)
                    .chain(lease -> service.release(lease.ref()))
                    .subscribeAsCompletionStage());
            assertThat(joined.poll(60, TimeUnit.SECONDS))
                    .as("w%d is in line", i)
                    .isTrue();
        }

        await(services.getLast().release(first.ref()));
        CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);

        assertThat(order)
                .extracting(lease -> lease.owner().value())
                .containsExactlyElementsOf(
                        IntStream.range(0, WAITERS).mapToObj(i -> "w" + i).toList());
        assertThat(order)
                .extracting(lease -> lease.token().value() - first.token().value())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, WAITERS).boxed().toList());
    }

    /** Many clients, one lock, waits that mostly end in vain: the store is well, and says so to each of them. */
    @Test
    void manyWhoComeAndGoOnOneLockAreGrantedOrRefusedAndNeverFailed() throws Exception {
        var services = replicas().stream().map(this::service).toList();
        var name = aName();
        var done = new ArrayList<CompletableFuture<Void>>();
        for (var i = 0; i < HOT_CLIENTS; i++) {
            var service = services.get(i % services.size());
            done.add(comeAndGo(service, name, "c" + i, HOT_ROUNDS).subscribeAsCompletionStage());
        }

        CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
    }

    private static Uni<Void> comeAndGo(LockService service, LockName name, String owner, int rounds) {
        if (rounds == 0) {
            return Uni.createFrom().voidItem();
        }
        var wait = Duration.ofMillis(20 + ThreadLocalRandom.current().nextInt(200));
        return service.acquire(wish(name, owner, wait))
                .chain(at -> at.answer() instanceof AcquireOutcome.Granted granted
                        ? service.release(granted.lease().ref()).replaceWithVoid()
                        : Uni.createFrom().voidItem())
                .chain(() -> comeAndGo(service, name, owner, rounds - 1));
    }

    private LockService service(LockStore store) {
        var settings = WaitSettings.DEFAULT.poll(Duration.ofMillis(5), Duration.ofMillis(20));
        var limits = new LockLimits(new LockSettings(), settings);
        var observer = new LeaseObserver(System::nanoTime, Fixtures.SKEW, 100);
        Timers timers = (delay, task) -> {
            var timer = scheduler.schedule(task, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
            return () -> timer.cancel(false);
        };
        var listener = new WaitListener() {
            @Override
            public void joined() {
                joined.add(true);
            }

            @Override
            public void left(End end, Duration waited) {}

            @Override
            public void handedOver(Duration took) {}

            @Override
            public void refused() {}
        };
        var wiring = new TestWaiters(store, limits, clock, timers, observer);
        return wiring.service(wiring.waiters(listener, new Cleanup(clock, timers, 100)));
    }

    private static AcquireCommand wish(LockName name, String owner, Duration wait) {
        return new AcquireCommand(
                name,
                new Owner(owner),
                Optional.empty(),
                new LeaseTerms(Optional.of(Duration.ofMinutes(5)), Optional.of(wait), Optional.empty()),
                Labels.NONE);
    }

    private static Lease granted(AcquireOutcome outcome) {
        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        return ((AcquireOutcome.Granted) outcome).lease();
    }
}

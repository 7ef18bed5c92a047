package io.holdfast.bench;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.steps;

import io.holdfast.kernel.Cursor;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures, not facts: `make bench` prints them. */
@Tag("benchmark")
class EmbeddedBenchmark {
    private static final Owner OWNER = new Owner("bench");
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    Path folder;

    @Test
    void acquiresPerSecondByHowManyAskAtOnce() {
        for (var concurrency : new int[] {1, 8, 64, 256}) {
            try (var store = open("acquire-" + concurrency)) {
                fill(store.locks(), 2_000, concurrency, "warm-", NOON);
                var count = concurrency == 1 ? 5_000 : 50_000;
                var started = System.nanoTime();
                fill(store.locks(), count, concurrency, "lock-", NOON);
                print("acquire, %d at once: %,d a second".formatted(concurrency, perSecond(count, started)));
            }
        }
    }

    @Test
    void aPageOfAListByHowManyLocksThereAre() {
        for (var locks : new int[] {1_000, 10_000, 100_000}) {
            try (var store = open("list-" + locks)) {
                fill(store.locks(), locks, 256, "lock-", NOON);
                var halfway = Optional.of(new Cursor("lock-" + locks / 2));
                var query = new LockQuery(LockQuery.Filter.ALL, new LockQuery.Bounds(100, 5000), halfway);
                var times = new long[2_000];
                for (var i = 0; i < times.length; i++) {
                    var started = System.nanoTime();
                    await(store.locks().list(query, NOON));
                    times[i] = System.nanoTime() - started;
                }
                print("a page of 100 among %,d locks: %s".formatted(locks, summary(times)));
            }
        }
    }

    @Test
    void acquiringWhileAMillionRecordsAreSwept() {
        try (var store = open("sweep")) {
            fill(
                    store.locks(),
                    1_000_000,
                    256,
                    "dead-",
                    NOON.minus(RETENTION).minus(DAY).minus(DAY));
            print("acquire alone: %s".formatted(summary(foreground(store.locks(), "alone-", 3_000))));
            for (var pause : new long[] {250, 0}) {
                var sweeping = new AtomicBoolean(true);
                var swept = CompletableFuture.supplyAsync(() -> sweep(store.locks(), pause, sweeping));
                var times = foreground(store.locks(), "beside-" + pause + "-", 3_000);
                sweeping.set(false);
                print("acquire while %,d records are swept, %d ms between steps of 500: %s"
                        .formatted(swept.join(), pause, summary(times)));
            }
        }
    }

    private static int sweep(LockStore store, long pauseMillis, AtomicBoolean going) {
        var purged = 0;
        var cursor = Optional.of(new Cursor("dead-"));
        do {
            var step = await(store.sweep(cursor, steps(500), NOON));
            purged += step.purged();
            cursor = step.next();
            await(Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(pauseMillis + 1)));
        } while (going.get() && cursor.isPresent());
        return purged;
    }

    private static long[] foreground(LockStore store, String prefix, int count) {
        var times = new long[count];
        for (var i = 0; i < count; i++) {
            var started = System.nanoTime();
            await(store.acquire(request(prefix + i), NOON));
            times[i] = System.nanoTime() - started;
        }
        return times;
    }

    private static void fill(LockStore store, int count, int concurrency, String prefix, Instant now) {
        Multi.createFrom()
                .range(0, count)
                .onItem()
                .transformToUni(i -> store.acquire(request(prefix + i), now))
                .merge(concurrency)
                .collect()
                .last()
                .await()
                .indefinitely();
    }

    private static AcquireRequest request(String name) {
        return AcquireRequest.once(new LeaseRef(new LockName(name), LockId.random(), OWNER), DAY, Labels.NONE);
    }

    private EmbeddedStore open(String name) {
        return EmbeddedStore.open(
                folder.resolve(name),
                new EmbeddedSettings(512, 10_000, 4096),
                RULES,
                () -> Runnable::run,
                StoreTelemetry.NONE);
    }

    private static long perSecond(int count, long startedNanos) {
        return count * 1_000_000_000L / (System.nanoTime() - startedNanos);
    }

    private static String summary(long[] nanos) {
        Arrays.sort(nanos);
        return "median %,d us, 99th %,d us"
                .formatted(nanos[nanos.length / 2] / 1000, nanos[nanos.length * 99 / 100] / 1000);
    }

    private static void print(String line) {
        System.out.println("BENCH " + line);
    }
}

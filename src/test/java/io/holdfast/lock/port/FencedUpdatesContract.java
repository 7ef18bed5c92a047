package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What fencing tokens are for. Many owners add one to counters under locks, and some of them are paused past their
 * lease between reading and writing. A lost update shows as a wrong total.
 */
public abstract class FencedUpdatesContract {
    private static final int OWNERS = 8;
    private static final int COUNTERS = 3;

    protected abstract LockStore store();

    protected abstract int updatesPerOwner();

    private final AtomicLong millis = new AtomicLong(NOON.toEpochMilli());

    @Test
    void noUpdateIsLostWhenTheTokenIsChecked() throws Exception {
        var counters = counters(true);

        var written = runAll(counters);

        assertThat(counters.stream().mapToLong(Counter::value).sum()).isEqualTo(written);
        assertThat(counters.stream().mapToLong(Counter::refused).sum()).isPositive();
    }

    /** The interleaving that the token is there for, step by step. */
    @Test
    void aPausedHoldersWriteIsRefusedWithTheTokenAndOverwritesWithoutIt() {
        assertThat(pausedHolder(new Counter(true))).isEqualTo(2);
        assertThat(pausedHolder(new Counter(false))).isEqualTo(1);
    }

    /** Ada reads, is paused past her lease, Bob adds one and again one, Ada wakes up and writes. */
    private long pausedHolder(Counter counter) {
        var name = Fixtures.aName();
        var adas = acquire(Fixtures.ADA, name);
        var adasRead = counter.read(adas.token());
        pausePastTheLease();
        for (var i = 0; i < 2; i++) {
            var bobs = acquire(Fixtures.BOB, name);
            counter.write(bobs.token(), counter.read(bobs.token()) + 1);
            await(store().release(bobs.ref(), now()));
        }
        counter.write(adas.token(), adasRead + 1);
        return counter.value();
    }

    private long runAll(List<Counter> counters) throws Exception {
        var names = IntStream.range(0, COUNTERS).mapToObj(i -> Fixtures.aName()).toList();
        try (var pool = Executors.newFixedThreadPool(OWNERS)) {
            var workers = IntStream.range(0, OWNERS)
                    .<Callable<Long>>mapToObj(i -> () -> work(i, names, counters))
                    .toList();
            var written = 0L;
            for (Future<Long> worker : pool.invokeAll(workers)) {
                written += worker.get();
            }
            return written;
        }
    }

    private long work(int number, List<LockName> names, List<Counter> counters) {
        var random = new Random(number);
        var owner = new Owner("worker-" + number);
        var written = 0L;
        while (written < updatesPerOwner()) {
            var which = random.nextInt(COUNTERS);
            var outcome = await(store().acquire(wants(owner, names.get(which)), now()));
            if (outcome instanceof AcquireOutcome.Granted granted) {
                written += update(granted.lease(), counters.get(which), random.nextInt(5) == 0);
            } else {
                // Held by another, perhaps by one that will never come back: time goes on.
                millis.addAndGet(50);
            }
        }
        return written;
    }

    /** How many updates went through: the owner's own, and its successor's if it was paused in the middle. */
    private long update(Lease lease, Counter counter, boolean paused) {
        var read = counter.read(lease.token());
        var successors = paused ? pausedWhileAnotherTakesOver(lease, counter) : 0;
        var written = counter.write(lease.token(), read + 1);
        await(store().release(lease.ref(), now()));
        return successors + (written ? 1 : 0);
    }

    private long pausedWhileAnotherTakesOver(Lease lease, Counter counter) {
        pausePastTheLease();
        var successor = new Owner("successor-of-" + lease.owner());
        var outcome = await(store().acquire(wants(successor, lease.name()), now()));
        return outcome instanceof AcquireOutcome.Granted granted ? update(granted.lease(), counter, false) : 0;
    }

    private Lease acquire(Owner owner, LockName name) {
        return ((AcquireOutcome.Granted) await(store().acquire(wants(owner, name), now()))).lease();
    }

    private void pausePastTheLease() {
        millis.addAndGet(TTL.plus(SKEW).plus(Duration.ofMillis(1)).toMillis());
    }

    private Instant now() {
        return Instant.ofEpochMilli(millis.get());
    }

    private static List<Counter> counters(boolean checked) {
        return IntStream.range(0, COUNTERS).mapToObj(i -> new Counter(checked)).toList();
    }

    /** A resource that remembers the highest token it was shown, on reads too, and may refuse lower ones. */
    private static final class Counter {
        private final boolean checksTokens;
        private long highest;
        private long value;
        private long refused;

        Counter(boolean checksTokens) {
            this.checksTokens = checksTokens;
        }

        synchronized long read(FencingToken token) {
            highest = Math.max(highest, token.value());
            return value;
        }

        synchronized boolean write(FencingToken token, long newValue) {
            if (checksTokens && token.value() < highest) {
                refused++;
                return false;
            }
            highest = Math.max(highest, token.value());
            value = newValue;
            return true;
        }

        synchronized long value() {
            return value;
        }

        synchronized long refused() {
            return refused;
        }
    }
}

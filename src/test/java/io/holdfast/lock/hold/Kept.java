package io.holdfast.lock.hold;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.LockService;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.FakeLockStore;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A replica whose clock, timers and store are in the test's hands. A second one shares the store and the time. */
public abstract class Kept {
    public static final Duration TTL = Duration.ofSeconds(30);

    @TempDir
    static Path folder;

    private static EmbeddedStore embedded;

    public final TestClock clock = new TestClock(NOON);
    public final FakeTimers timers = new FakeTimers(clock);
    public final FakeLockStore store = new FakeLockStore(embedded.locks());
    public final Replica here = new Replica();
    public final LockName name = Fixtures.aName();

    @BeforeAll
    static void open() {
        embedded = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.ELSEWHERE, StoreTelemetry.NONE);
    }

    @AfterAll
    static void close() {
        embedded.close();
    }

    public final class Replica {
        public final LeaseRenewers keepers;
        final Cleanup cleanup;
        public final LockService locks;
        final KeepAliveCounts counts = new KeepAliveCounts();
        final HoldService holds;
        final AutoRenewals renewals;

        public Replica() {
            this(Duration.ZERO);
        }

        /** @param behind so much its clock is behind the other's */
        Replica(Duration behind) {
            InstantSource its = () -> clock.instant().minus(behind);
            keepers = new LeaseRenewers(store, its, timers);
            cleanup = new Cleanup(its, timers, 100);
            locks = TestLimits.service(store, its, timers, keepers, cleanup);
            holds = new HoldService(locks, keepers, KeepAliveSettings.LIMITS, counts);
            renewals = new AutoRenewals(locks, keepers, KeepAliveSettings.LIMITS, counts);
        }
    }

    /** Whether the drain of this replica would wait for nothing. */
    static boolean isIdle(Replica replica) {
        return replica.cleanup.idle().subscribeAsCompletionStage().isDone();
    }

    public void pass(Duration time) {
        timers.advance(time);
    }

    /** The lock as it is kept, whatever mood the store is in. */
    public LockRecord record() {
        return await(embedded.locks().find(name)).orElseThrow();
    }

    LockStatus status() {
        return record().statusAt(clock.instant());
    }

    public long renewals() {
        return record().lease().term().renewals();
    }
}

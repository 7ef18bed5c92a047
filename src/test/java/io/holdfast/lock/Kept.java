package io.holdfast.lock;

import static io.holdfast.lock.Fixtures.NOON;
import static io.holdfast.lock.Fixtures.await;

import io.holdfast.store.embedded.EmbeddedSettings;
import io.holdfast.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A replica whose clock, timers and store are in the test's hands. A second one shares the store and the time. */
abstract class Kept {
    static final Duration TTL = Duration.ofSeconds(30);

    @TempDir
    static Path folder;

    private static EmbeddedStore embedded;

    final TestClock clock = new TestClock(NOON);
    final HandTimers timers = new HandTimers(clock);
    final HandStore store = new HandStore(embedded.locks());
    final Replica here = new Replica();
    final LockName name = Fixtures.aName();

    @BeforeAll
    static void open() {
        embedded = EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.ELSEWHERE);
    }

    @AfterAll
    static void close() {
        embedded.close();
    }

    final class Replica {
        final Keepers keepers;
        final Cleanup cleanup;
        final LockService locks;
        final KeepCounts counts = new KeepCounts();
        final HoldService holds;
        final AutoRenewals renewals;

        Replica() {
            this(Duration.ZERO);
        }

        /** @param behind so much its clock is behind the other's */
        Replica(Duration behind) {
            InstantSource its = () -> clock.instant().minus(behind);
            keepers = new Keepers(store, its, timers);
            cleanup = new Cleanup(its, timers, 100);
            locks = TestLimits.service(store, its, timers, keepers, cleanup);
            holds = new HoldService(locks, keepers, KeepSettings.LIMITS, counts);
            renewals = new AutoRenewals(locks, keepers, KeepSettings.LIMITS, counts);
        }
    }

    /** Whether the drain of this replica would wait for nothing. */
    static boolean isIdle(Replica replica) {
        return replica.cleanup.idle().subscribeAsCompletionStage().isDone();
    }

    void pass(Duration time) {
        timers.advance(time);
    }

    /** The lock as it is kept, whatever mood the store is in. */
    LockRecord record() {
        return await(embedded.locks().find(name)).orElseThrow();
    }

    LockStatus status() {
        return record().statusAt(clock.instant());
    }

    long renewals() {
        return record().lease().term().renewals();
    }
}

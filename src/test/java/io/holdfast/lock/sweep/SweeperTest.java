package io.holdfast.lock.sweep;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.STALE_AFTER;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.labelled;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.TestClock;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AfterStep;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStatistics;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweeperTest {
    private static final int DEAD = 25;

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock(NOON);
    private final Heard heard = new Heard();
    private final Cleanup cleanup = new Cleanup(clock, (delay, task) -> Timers.Timer.NONE, 1);
    private EmbeddedStore embedded;
    private LockStore store;

    @BeforeEach
    void open() {
        embedded = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, () -> Runnable::run, StoreTelemetry.NONE);
        store = embedded.locks();
        for (var i = 0; i < DEAD; i++) {
            var lease = ((AcquireOutcome.Granted) await(store.acquire(wants(ADA, aName()), NOON))).lease();
            await(store.release(lease.ref(), NOON));
        }
        clock.advance(RETENTION.plusSeconds(1));
    }

    @AfterEach
    void close() {
        embedded.close();
    }

    @Test
    void aSweepRemovesWhatIsExpendableInStepsAndGivesItsLockBack() {
        var sweeper = new Sweeper(store, new Settings(10), clock, heard, cleanup);

        assertThat(await(sweeper.sweep())).isEqualTo(new Sweeper.Sweep.Done(DEAD));

        assertThat(await(store.find(Sweeper.LOCK))).hasValueSatisfying(record -> {
            assertThat(record.statusAt(clock.instant())).isEqualTo(LockStatus.RELEASED);
            assertThat(record.lease().labels().type()).isEqualTo(LockType.SYSTEM);
        });
    }

    @Test
    void onlyOneReplicaSweepsAtATime() {
        await(store.acquire(wants(BOB, Sweeper.LOCK), clock.instant()));

        var outcome = await(new Sweeper(store, new Settings(10), clock, heard, cleanup).sweep());

        assertThat(outcome).isEqualTo(new Sweeper.Sweep.NotElected());
    }

    /** The release of a sweep may be retried in the background, so the next sweep must not rely on its lease. */
    @Test
    void aSweepDoesNotBeginUnderTheLeaseOfAnEarlierOne() {
        var second = new ArrayList<Sweeper.Sweep>();
        var sweeper = new AtomicReference<Sweeper>();
        var overlapping =
                new AfterStep(store, 1, () -> second.add(await(sweeper.get().sweep())));
        sweeper.set(new Sweeper(overlapping, new Settings(10), clock, heard, cleanup));

        await(sweeper.get().sweep());

        assertThat(second).containsExactly(new Sweeper.Sweep.NotElected());
    }

    @Test
    void aSweeperWhoseLockWasTakenAwayStops() {
        assertThat(await(new Sweeper(robbed(), new Settings(10), clock, heard, cleanup).sweep()))
                .isEqualTo(new Sweeper.Sweep.Interrupted(10));
    }

    @Test
    void aLongSweepRenewsItsLock() {
        var slow = new AfterStep(store, 1, () -> clock.advance(Settings.LOCK_TTL.dividedBy(2)));

        assertThat(await(new Sweeper(slow, new Settings(10), clock, heard, cleanup).sweep()))
                .isEqualTo(new Sweeper.Sweep.Done(DEAD));
        assertThat(await(store.find(Sweeper.LOCK)))
                .hasValueSatisfying(
                        record -> assertThat(record.lease().term().renewals()).isEqualTo(1));
    }

    @Test
    void aStoppedSweeperFinishesItsStepAndReleasesItsLock() {
        var holder = new Sweeper[1];
        var stopping = new AfterStep(store, 1, () -> holder[0].stop());
        holder[0] = new Sweeper(stopping, new Settings(10), clock, heard, cleanup);

        assertThat(await(holder[0].sweep())).isEqualTo(new Sweeper.Sweep.Interrupted(10));
        assertThat(await(store.find(Sweeper.LOCK)))
                .hasValueSatisfying(
                        record -> assertThat(record.statusAt(clock.instant())).isEqualTo(LockStatus.RELEASED));
    }

    @Test
    void aLockThatCouldRunOutBetweenTwoStepsIsRefusedAtStart() {
        var hasty = new Settings(10) {
            @Override
            public Duration stepPause() {
                return LOCK_TTL.dividedBy(3);
            }
        };

        assertThatThrownBy(() -> new Sweeper(store, hasty, clock, heard, cleanup))
                .hasMessageContaining("holdfast.sweep.lock-ttl")
                .hasMessageContaining("holdfast.sweep.step-pause");
    }

    @Test
    void whatHasYetToRunOutCannotBeStale() {
        var ahead = new Settings(10) {
            @Override
            public Duration staleAfter() {
                return Duration.ofMillis(-1);
            }
        };

        assertThatThrownBy(() -> new Sweeper(store, ahead, clock, heard, cleanup))
                .hasMessageContaining("holdfast.sweep.stale-after");
    }

    // What is counted on the way.

    @Test
    void aSweepAddsUpWhatItSawInAllItsStepsAndSaysSoOnceAtTheEnd() {
        var now = clock.instant();
        // The names of the dead begin with "lock-": one of each kind lies in the first step and one in the last.
        for (var name : List.of("a", "z")) {
            await(store.acquire(
                    wants(ADA, new LockName(name + "/stale")),
                    now.minus(TTL).minus(STALE_AFTER).minusMillis(1)));
        }
        await(store.acquire(labelled(ADA, new LockName("a/held")), now.minusSeconds(3)));
        await(store.acquire(labelled(ADA, new LockName("z/held")), now.minusSeconds(7)));

        await(new Sweeper(store, new Settings(10), clock, heard, cleanup).sweep());

        assertThat(heard.censuses).hasSize(1).first().satisfies(statistics -> {
            assertThat(statistics.stale()).isEqualTo(2);
            assertThat(statistics.longestHeld())
                    .containsEntry(LockType.CLUSTER, Duration.ofSeconds(7))
                    .containsEntry(LockType.DATABASE, Duration.ZERO);
        });
        assertThat(heard.at).isEqualTo(now);
        assertThat(heard.withdrawn).isZero();
    }

    @Test
    void aSweepThatIsCutShortCountsNothing() {
        var holder = new Sweeper[1];
        holder[0] =
                new Sweeper(new AfterStep(store, 2, () -> holder[0].stop()), new Settings(10), clock, heard, cleanup);

        await(holder[0].sweep());

        heard.nothing();
    }

    @Test
    void aSweeperWhoseLockWasTakenAwayCountsNothing() {
        await(new Sweeper(robbed(), new Settings(10), clock, heard, cleanup).sweep());

        heard.nothing();
    }

    /** Its figures would be older than those of the one that was elected. */
    @Test
    void whoIsNotElectedKeepsNoOldCountEither() {
        await(store.acquire(wants(BOB, Sweeper.LOCK), clock.instant()));

        await(new Sweeper(store, new Settings(10), clock, heard, cleanup).sweep());

        heard.nothing();
    }

    @Test
    void aSweepThatFailsCountsNothing() {
        var broken = new AfterStep(store, 2, () -> {
            throw new StoreUnavailableException("Nobody knows.");
        });

        assertThatThrownBy(() -> await(new Sweeper(broken, new Settings(10), clock, heard, cleanup).sweep()))
                .isInstanceOf(StoreUnavailableException.class);

        heard.nothing();
    }

    @Test
    void aStoreThatLookedAtNothingOnceMakesTheWholeSweepCountNothing() {
        var blind = new AfterStep(store, 2, () -> {}).seeingNothing();

        assertThat(await(new Sweeper(blind, new Settings(10), clock, heard, cleanup).sweep()))
                .isEqualTo(new Sweeper.Sweep.Done(DEAD));

        heard.nothing();
    }

    private LockStore robbed() {
        return new AfterStep(store, 1, () -> {
            var token = await(store.find(Sweeper.LOCK)).orElseThrow().token();
            await(store.forceRelease(force(Sweeper.LOCK, token), clock.instant()));
            clock.advance(Settings.LOCK_TTL.dividedBy(2));
        });
    }

    private static final class Heard implements SweepListener {
        final List<LockStatistics> censuses = new ArrayList<>();
        Instant at;
        int withdrawn;

        @Override
        public void counted(LockStatistics statistics, Instant when) {
            censuses.add(statistics);
            at = when;
        }

        @Override
        public void notCounted() {
            withdrawn++;
        }

        void nothing() {
            assertThat(censuses).isEmpty();
            assertThat(withdrawn).isEqualTo(1);
        }
    }

    private static class Settings implements SweepConfig {
        static final Duration LOCK_TTL = Duration.ofSeconds(60);
        private final int stepSize;

        Settings(int stepSize) {
            this.stepSize = stepSize;
        }

        @Override
        public String every() {
            return "off";
        }

        @Override
        public String firstAfter() {
            return "0s";
        }

        @Override
        public int stepSize() {
            return stepSize;
        }

        @Override
        public Duration stepPause() {
            return Duration.ofMillis(1);
        }

        @Override
        public Duration lockTtl() {
            return LOCK_TTL;
        }

        @Override
        public Duration staleAfter() {
            return Fixtures.STALE_AFTER;
        }
    }
}

package io.holdfast.lock.set;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.hold.AutoRenewals;
import io.holdfast.lock.hold.KeepAliveCounts;
import io.holdfast.lock.hold.KeepAliveSettings;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.port.SubjectFacts;
import io.holdfast.lock.port.SubjectFacts.Pair;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sets of locks of one owner string, by the same subject, by another one, and without one. */
class LockSetSubjectTest {
    private static final LockName FIRST = new LockName("a");
    private static final LockName SECOND = new LockName("b");
    private static final LockSetService.Names BOTH = new LockSetService.Names(List.of(FIRST, SECOND));
    private static final LockId ID = LockId.random();

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final RulesStore store = new RulesStore(new LockRules(SKEW, RETENTION, 64, true));
    private final LeaseRenewers renewers = new LeaseRenewers(store, clock, timers);
    private final LockSetService sets;

    LockSetSubjectTest() {
        var locks = TestLimits.service(store, clock, timers, renewers);
        var renewals = new AutoRenewals(locks, renewers, KeepAliveSettings.LIMITS, new KeepAliveCounts());
        sets = new LockSetService(locks, renewals, renewers, TestLimits.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void onlyTheSameSubjectIsAnsweredWithTheSetThatItRepeats(Pair pair) {
        acquire(pair.stored());

        var outcome = acquire(pair.asking());

        assertThat(outcome instanceof AcquireAllOutcome.AllGranted).isEqualTo(pair.same());
        assertThat(outcome instanceof AcquireAllOutcome.Blocked).isNotEqualTo(pair.same());
        assertThat(BOTH.all()).allSatisfy(name -> {
            assertThat(status(name)).isEqualTo(LockStatus.ACTIVE);
            assertThat(store.record(name).lease().owner()).isEqualTo(pair.same() ? pair.after() : pair.stored());
        });
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void onlyTheSameSubjectReleasesASet(Pair pair) {
        acquire(pair.stored());

        var outcomes = await(sets.release(BOTH, ID, pair.asking())).answer();

        assertThat(outcomes)
                .hasOnlyElementsOfType(
                        pair.same() ? ReleaseOutcome.Released.class : ReleaseOutcome.HeldByAnother.class);
        assertThat(status(FIRST)).isEqualTo(pair.same() ? LockStatus.RELEASED : LockStatus.ACTIVE);
    }

    /** Its own lease with the same lock_id is not that of the set. */
    @Test
    void aSetThatIsBlockedByAnotherSubjectReleasesNothingOfThatSubject() {
        await(store.acquire(AcquireRequest.once(new LeaseRef(SECOND, ID, SubjectFacts.OF_A), TTL, Labels.NONE), NOON));

        assertThat(acquire(SubjectFacts.OF_B)).isInstanceOf(AcquireAllOutcome.Blocked.class);

        assertThat(status(FIRST)).isEqualTo(LockStatus.RELEASED);
        assertThat(status(SECOND)).isEqualTo(LockStatus.ACTIVE);
    }

    private AcquireAllOutcome acquire(Owner owner) {
        var command = new LockSetService.AcquireAll(BOTH, owner, Optional.of(ID), LeaseTerms.once(TTL), Labels.NONE);
        return await(sets.acquire(command)).answer();
    }

    private LockStatus status(LockName name) {
        return store.record(name).statusAt(clock.instant());
    }
}

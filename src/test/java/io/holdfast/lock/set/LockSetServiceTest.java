package io.holdfast.lock.set;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockService;
import io.holdfast.lock.TestLimits;
import io.holdfast.lock.hold.AutoRenewals;
import io.holdfast.lock.hold.KeepAliveCounts;
import io.holdfast.lock.hold.KeepAliveSettings;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.port.RulesStore.Call;
import io.holdfast.lock.set.AcquireAllOutcome.AllGranted;
import io.holdfast.lock.set.AcquireAllOutcome.Blocked;
import io.holdfast.lock.set.AcquireAllOutcome.LostMeanwhile;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several locks as one, step by step. */
class LockSetServiceTest {
    private static final LockName A = new LockName("a");
    private static final LockName B = new LockName("b");
    private static final LockName C = new LockName("c");
    private static final LockId ID = LockId.random();
    private static final Duration WAIT = Duration.ofMinutes(2);

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final RulesStore store = new RulesStore(new LockRules(SKEW, RETENTION, 64, true));
    private final LeaseRenewers renewers = new LeaseRenewers(store, clock, timers);
    private final LockService locks = TestLimits.service(store, clock, timers, renewers);
    private final LockSetService sets = new LockSetService(
            locks,
            new AutoRenewals(locks, renewers, KeepAliveSettings.LIMITS, new KeepAliveCounts()),
            renewers,
            TestLimits.DEFAULT);

    /** Somebody who asked for several locks. */
    private final class Asking {
        private final CompletableFuture<AcquireAllOutcome> answer = new CompletableFuture<>();
        private final Cancellable connection;

        Asking(LockSetService.AcquireAll command) {
            connection = sets.acquire(command)
                    .subscribe()
                    .with(at -> answer.complete(at.answer()), answer::completeExceptionally);
        }

        List<Lease> granted() {
            assertThat(answer).isDone();
            assertThat(answer.join()).isInstanceOf(AllGranted.class);
            return ((AllGranted) answer.join()).leases();
        }
    }

    @Test
    void allAreGrantedUnderOneLockIdInTheOrderOfTheirNames() {
        var leases = asks(ADA, Duration.ZERO, C, A, B).granted();

        assertThat(leases).extracting(Lease::name).containsExactly(A, B, C);
        assertThat(leases).extracting(Lease::id).containsOnly(ID);
        assertThat(leases).extracting(Lease::expiresAt).containsOnly(NOON.plus(TTL));
        assertThat(store.count(Call.RENEW)).as("one write for each").isZero();
    }

    @Test
    void ifOneIsHeldByAnotherNoneIsTaken() {
        await(store.acquire(wants(BOB, B), NOON));

        var asking = asks(ADA, Duration.ZERO, A, B, C);

        assertThat(asking.answer.join()).isInstanceOfSatisfying(Blocked.class, blocked -> assertThat(
                        ((AcquireOutcome.HeldByAnother) blocked.answer().answer())
                                .holder()
                                .name())
                .isEqualTo(B));
        assertFree(A);
        assertThat(store.record(C)).as("never asked for").isNull();
    }

    @Test
    void whatTheOwnerHadBeforeIsNotGivenBack() {
        await(store.acquire(wants(ADA, A), NOON));
        await(store.acquire(wants(BOB, C), NOON));

        assertThat(asks(ADA, Duration.ZERO, A, B, C).answer.join()).isInstanceOf(Blocked.class);

        assertThat(store.record(A).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
        assertFree(B);
    }

    @Test
    void whoAsksAgainWithTheSameLockIdGetsTheSameLeases() {
        var first = asks(ADA, Duration.ZERO, A, B).granted();

        var again = asks(ADA, Duration.ZERO, A, B);

        assertThat(again.granted())
                .extracting(Lease::ref, Lease::token)
                .containsExactlyElementsOf(first.stream()
                        .map(lease -> tuple(lease.ref(), lease.token()))
                        .toList());
        assertThat(((AllGranted) again.answer.join()).fresh()).isFalse();
    }

    /** The answer to the first attempt was lost: whoever hears of a refusal then believes that none is held. */
    @Test
    void whatTheSameRequestHadTakenBeforeIsGivenBackWhenItIsRefused() {
        takenBefore(A);
        await(store.acquire(wants(BOB, B), NOON));

        assertThat(asks(ADA, Duration.ZERO, A, B).answer.join()).isInstanceOf(Blocked.class);

        assertFree(A);
    }

    @Test
    void whatTheSameRequestHadTakenBeforeIsKeptWhileTheNextIsWaitedFor() {
        var before = takenBefore(A);
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON))).lease();
        timers.advance(TTL.dividedBy(2));
        var asking = asks(ADA, WAIT, A, B);
        timers.advance(TTL.multipliedBy(3));
        assertThat(store.record(A).statusAt(clock.instant())).isEqualTo(LockStatus.ACTIVE);

        await(locks.release(bobs.ref()));

        assertThat(asking.granted().getFirst().token()).isEqualTo(before.token());
        assertThat(((AllGranted) asking.answer.join()).fresh())
                .as("the second is")
                .isTrue();
        assertThat(asking.granted())
                .extracting(Lease::expiresAt)
                .containsOnly(clock.instant().plus(TTL));
        assertThat(timers.waiting()).as("nobody keeps them any more").isZero();
    }

    @Test
    void whatTheSameRequestHadTakenBeforeIsGivenBackWhenTheNextIsWaitedForInVain() {
        takenBefore(A);
        await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON));
        var asking = asks(ADA, WAIT, A, B);

        timers.advance(WAIT);

        assertThat(asking.answer.join()).isInstanceOf(Blocked.class);
        assertFree(A);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void whatTheSameRequestHadTakenBeforeIsGivenBackWhenAnotherTurnsOutToBeLost() {
        takenBefore(A);
        takenBefore(B);
        store.keepAnswer(Call.ACQUIRE);
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ZERO, A, B);
        store.goOn();
        await(store.forceRelease(force(B, store.record(B).token()), NOON));

        store.goOn();

        assertThat(asking.answer.join()).isInstanceOf(LostMeanwhile.class);
        assertFree(A);
    }

    /** The answer to the first attempt may have come through, and somebody may be at work. */
    @Test
    void whatTheSameRequestHadTakenBeforeStaysWhenTheCallerGoesAway() {
        takenBefore(A);
        await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON));
        var asking = asks(ADA, WAIT, A, B);

        asking.connection.cancel();

        assertThat(store.record(A).statusAt(clock.instant())).isEqualTo(LockStatus.ACTIVE);
        assertThat(timers.waiting()).as("and is left to its holder").isZero();
    }

    @Test
    void whatTheSameRequestHadTakenBeforeStaysWhenTheStoreFails() {
        takenBefore(A);
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ZERO, A, B);
        store.lose(Call.ACQUIRE);

        store.goOn();

        assertThat(asking.answer).isCompletedExceptionally();
        assertThat(store.record(A).statusAt(clock.instant())).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void theFirstIsKeptWhileTheSecondIsWaitedForAndAllEndAtTheSameTime() {
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON))).lease();
        var asking = asks(ADA, WAIT, A, B);
        timers.advance(TTL.multipliedBy(3));
        assertThat(asking.answer).isNotDone();
        assertThat(store.record(A).statusAt(clock.instant())).isEqualTo(LockStatus.ACTIVE);

        await(locks.release(bobs.ref()));

        var leases = asking.granted();
        assertThat(leases)
                .extracting(Lease::expiresAt)
                .containsOnly(clock.instant().plus(TTL));
        assertThat(leases)
                .isEqualTo(
                        Stream.of(A, B).map(name -> store.record(name).lease()).toList());
        assertThat(timers.waiting()).as("nobody keeps them any more").isZero();
    }

    @Test
    void ifTheFirstIsTakenAwayWhileTheSecondIsWaitedForNoneIsTaken() {
        await(store.acquire(wants(BOB, C, Duration.ofHours(1)), NOON));
        var asking = asks(ADA, WAIT, A, B, C);

        await(locks.forceRelease(A, store.record(A).token(), "stuck", Optional.empty()));

        assertThat(asking.answer.join()).isInstanceOfSatisfying(LostMeanwhile.class, lost -> {
            assertThat(lost.name()).isEqualTo(A);
            assertThat(lost.loss().cause()).isEqualTo(LeaseLoss.Cause.FORCED);
        });
        assertFree(A);
        assertFree(B);
        assertThat(store.record(C).queue().isEmpty()).isTrue();
        assertThat(timers.waiting()).isZero();
    }

    /** Nobody here has heard of it, and then the last one is granted: it is found out before anybody is told. */
    @Test
    void ifTheFirstWasTakenAwayElsewhereNoneIsTaken() {
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON))).lease();
        var asking = asks(ADA, WAIT, A, B);
        await(store.forceRelease(force(A, store.record(A).token()), NOON));

        await(locks.release(bobs.ref()));

        assertThat(asking.answer.join()).isInstanceOf(LostMeanwhile.class);
        assertFree(A);
        assertFree(B);
    }

    /** The first one is confirmed, and then the second turns out to be lost: the first is given back as it is now. */
    @Test
    void whatWasConfirmedBeforeAnotherTurnedOutToBeLostIsGivenBack() {
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, C, Duration.ofHours(1)), NOON))).lease();
        var asking = asks(ADA, WAIT, A, B, C);
        await(store.forceRelease(force(B, store.record(B).token()), NOON));

        await(locks.release(bobs.ref()));

        assertThat(asking.answer.join()).isInstanceOf(LostMeanwhile.class);
        assertFree(A);
        assertFree(C);
    }

    @Test
    void ifTheLastRenewalFailsNoneIsTaken() {
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON))).lease();
        var asking = asks(ADA, WAIT, A, B);
        store.lose(Call.RENEW);

        await(locks.release(bobs.ref()));

        assertThat(asking.answer).isCompletedExceptionally();
        assertThatThrownBy(asking.answer::join).hasCauseInstanceOf(StoreUnavailableException.class);
        assertFree(A);
        assertFree(B);
    }

    @Test
    void whoWaitsInVainHasNone() {
        await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON));
        var asking = asks(ADA, WAIT, A, B);

        timers.advance(WAIT);

        assertThat(asking.answer.join()).isInstanceOfSatisfying(Blocked.class, blocked -> assertThat(
                        blocked.answer().answer())
                .isInstanceOf(AcquireOutcome.GaveUp.class));
        assertFree(A);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aCallerThatGoesAwayWhileItWaitsHasNone() {
        await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON));
        var asking = asks(ADA, WAIT, A, B);

        asking.connection.cancel();

        assertFree(A);
        assertThat(store.record(B).queue().isEmpty()).isTrue();
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aCallerThatGoesAwayWhileOneIsGrantedHasNone() {
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ZERO, A, B);

        asking.connection.cancel();
        store.goOn();

        assertFree(A);
        assertThat(store.record(B)).isNull();
    }

    @Test
    void aCallerThatGoesAwayWhileTheLastIsGrantedHasNone() {
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON))).lease();
        var asking = asks(ADA, WAIT, A, B);
        store.keepAnswer(Call.ACQUIRE);
        await(locks.release(bobs.ref()));

        asking.connection.cancel();
        store.goOn();

        assertFree(A);
        assertFree(B);
    }

    @Test
    void twoWhoWantTheSameOnesInAnotherOrderNeverBlockEachOther() {
        var ada = asks(ADA, WAIT, A, B);
        var bob = new Asking(wish(BOB, LockId.random(), WAIT, B, A));
        assertThat(bob.answer).isNotDone();

        await(sets.release(new LockSetService.Names(List.of(A, B)), ID, ADA));

        assertThat(ada.granted()).hasSize(2);
        assertThat(bob.granted()).hasSize(2);
    }

    @Test
    void allAreGivenBackTogetherAndWhatIsGoneHindersNobody() {
        asks(ADA, Duration.ZERO, A, B, C).granted();
        await(store.forceRelease(force(B, store.record(B).token()), NOON));
        await(store.acquire(wants(BOB, B), NOON));

        var outcomes = await(sets.release(new LockSetService.Names(List.of(C, B, A)), ID, ADA))
                .answer();

        assertThat(outcomes.get(0)).isInstanceOf(ReleaseOutcome.Released.class);
        assertThat(outcomes.get(1)).isInstanceOf(ReleaseOutcome.HeldByAnother.class);
        assertThat(outcomes.get(2)).isInstanceOf(ReleaseOutcome.Released.class);
        assertThat(store.record(B).lease().owner()).isEqualTo(BOB);
    }

    @Test
    void aStoreThatFailsInTheMiddleLeavesNone() {
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ZERO, A, B);
        store.lose(Call.ACQUIRE);
        store.goOn();

        assertThat(asking.answer).isCompletedExceptionally();
        assertFree(A);
    }

    /** The caller is told to ask again with the same lock_id, and must not find the lock taken by itself. */
    @Test
    void aLockWhoseAnswerWasLostIsGivenBackBeforeTheCallerIsTold() {
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ZERO, A, B);
        store.loseAnswer(Call.ACQUIRE);
        store.goOn();

        assertThat(asking.answer).isCompletedExceptionally();
        assertFree(A);
        assertFree(B);
    }

    /** The first attempt was told that all are its own. The second one, of the same caller, meets a store in trouble. */
    @Test
    void aFailureOfALaterAttemptEndsNothingThatAnEarlierOneWasGranted() {
        var told = asks(ADA, Duration.ZERO, A, B).granted();
        store.keepAnswer(Call.ACQUIRE);
        var again = asks(ADA, Duration.ZERO, A, B);
        store.loseAnswer(Call.ACQUIRE);
        store.goOn();

        assertThat(again.answer).isCompletedExceptionally();
        assertThat(told).allSatisfy(lease -> {
            assertThat(store.record(lease.name()).lease().token()).isEqualTo(lease.token());
            assertThat(store.record(lease.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
        });
    }

    @Test
    void nobodyIsAnsweredBeforeWhatWasTakenIsGivenBack() {
        await(store.acquire(wants(BOB, B), NOON));
        store.keepFromArriving(Call.RELEASE);

        var asking = asks(ADA, Duration.ZERO, A, B);

        assertThat(asking.answer).isNotDone();
        store.goOn();
        assertThat(asking.answer).isDone();
        assertFree(A);
    }

    /** The caller lost its connection and has asked again when what it had taken before is given back at last. */
    @Test
    void whatWasTakenAgainWithTheSameLockIdIsNotGivenBack() {
        await(store.acquire(wants(BOB, C, Duration.ofHours(1)), NOON));
        var asking = asks(ADA, WAIT, A, C);
        store.keepFromArriving(Call.RELEASE);
        asking.connection.cancel();

        var again = asks(ADA, Duration.ZERO, A, B).granted();
        store.goOn();

        assertThat(store.record(A).lease()).isEqualTo(again.getFirst());
        assertThat(store.record(A).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void whatTheSameRequestHadTakenBeforeIsNotGivenBackBehindTheOneThatWaitsWithIt() {
        await(store.acquire(wants(BOB, C, Duration.ofHours(1)), NOON));
        var asking = asks(ADA, WAIT, A, C);
        store.keepFromArriving(Call.RELEASE);
        asking.connection.cancel();

        var again = asks(ADA, WAIT, A, C);
        store.goOn();
        await(locks.release(store.record(C).lease().ref()));

        assertThat(again.granted())
                .isEqualTo(
                        Stream.of(A, C).map(name -> store.record(name).lease()).toList());
        assertThat(store.record(A).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void whatTheOwnerHadBeforeAndLostWhileItWaitedIsNotPromised() {
        await(store.acquire(wants(ADA, A), NOON));
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, B, Duration.ofHours(1)), NOON))).lease();
        var asking = asks(ADA, WAIT, A, B);
        timers.advance(TTL.plusSeconds(10));

        await(locks.release(bobs.ref()));

        assertThat(asking.answer.join()).isInstanceOf(LostMeanwhile.class);
        assertFree(B);
    }

    @Test
    void nothingIsGrantedAfterTheTimeToWaitIsOver() {
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ofSeconds(10), A, B);
        timers.advance(Duration.ofSeconds(10));
        store.goOn();

        assertThat(asking.answer.join()).isInstanceOfSatisfying(Blocked.class, blocked -> assertThat(
                        blocked.answer().answer())
                .isInstanceOf(AcquireOutcome.GaveUp.class));
        assertFree(A);
        assertThat(store.record(B)).isNull();
    }

    @Test
    void aClockThatWasSetBackMeanwhileCostsNobodyTheAnswer() {
        var most = Duration.ofMinutes(5);
        await(store.acquire(wants(BOB, A), NOON));
        var asking = asks(ADA, most, A, B);
        clock.advance(Duration.ofSeconds(-10));

        await(locks.release(store.record(A).lease().ref()));

        assertThat(asking.granted()).hasSize(2);
    }

    /** A slow store: the first lock has lost most of its time when the last one is granted. */
    @Test
    void aLockThatWasTakenLongBeforeTheLastOneIsRenewedBeforeTheCallerIsTold() {
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ZERO, A, B);
        timers.advance(TTL.dividedBy(2));

        store.goOn();

        assertThat(asking.granted())
                .extracting(lease -> lease.remainingAt(clock.instant()))
                .containsExactly(TTL, TTL);
    }

    @Test
    void aSetOfWhichOneLockHasExpiredMeanwhileIsNotGranted() {
        store.keepAnswer(Call.ACQUIRE);
        var asking = asks(ADA, Duration.ZERO, A, B);
        timers.advance(TTL.plusSeconds(10));
        await(store.acquire(wants(BOB, A), clock.instant()));

        store.goOn();

        assertThat(asking.answer.join()).isInstanceOf(AcquireAllOutcome.LostMeanwhile.class);
        assertFree(B);
    }

    @Test
    void aSetThatIsToBeRenewedIsRenewedOnceItIsTaken() {
        await(sets.acquireRenewed(wish(ADA, ID, Duration.ZERO, A, B)));

        timers.advance(TTL.multipliedBy(8).dividedBy(10));

        assertThat(Stream.of(A, B).map(name -> store.record(name).lease().term().renewals()))
                .containsExactly(1L, 1L);
    }

    @Test
    void aSetThatIsNotTakenIsNotRenewed() {
        await(store.acquire(wants(BOB, B), NOON));

        await(sets.acquireRenewed(wish(ADA, ID, Duration.ZERO, A, B)));

        assertFree(A);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aSetThatIsMoreThanCanBeRenewedHereIsNotTaken() {
        await(sets.acquireRenewed(wish(ADA, ID, Duration.ZERO, A, B)));

        var outcome = await(sets.acquireRenewed(
                        wish(ADA, LockId.random(), Duration.ZERO, new LockName("d"), new LockName("e"))))
                .answer();

        assertThat(outcome).isInstanceOfSatisfying(Blocked.class, blocked -> assertThat(
                        blocked.answer().answer())
                .isInstanceOf(AcquireOutcome.QueueFull.class));
        assertThat(store.record(new LockName("d"))).isNull();
    }

    @Test
    void aSetHasAtLeastOneNameAtMostThreeAndNoneTwice() {
        assertThatThrownBy(() -> names()).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> names(A, B, A)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> asks(ADA, WAIT, A, B, C, new LockName("d")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("names");
        assertThat(store.record(A)).isNull();
    }

    /** By an earlier attempt of the request that {@link #asks} sends. */
    private Lease takenBefore(LockName name) {
        var request = AcquireRequest.once(new LeaseRef(name, ID, ADA), TTL, Labels.NONE);
        return ((AcquireOutcome.Granted) await(store.acquire(request, NOON))).lease();
    }

    private Asking asks(Owner owner, Duration wait, LockName... names) {
        return new Asking(wish(owner, ID, wait, names));
    }

    private static LockSetService.AcquireAll wish(Owner owner, LockId id, Duration wait, LockName... names) {
        return new LockSetService.AcquireAll(
                names(names),
                owner,
                Optional.of(id),
                new LeaseTerms(Optional.of(TTL), Optional.of(wait), Optional.empty()),
                Labels.NONE);
    }

    private static LockSetService.Names names(LockName... names) {
        return new LockSetService.Names(List.of(names));
    }

    private void assertFree(LockName name) {
        assertThat(store.record(name).statusAt(clock.instant())).as("%s", name).isEqualTo(LockStatus.RELEASED);
    }
}

package io.holdfast.lock.queue;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.askedAgain;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.actuator.LogLines;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockService;
import io.holdfast.lock.LockSettings;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireOutcome.AlreadyHeld;
import io.holdfast.lock.port.AcquireOutcome.GaveUp;
import io.holdfast.lock.port.AcquireOutcome.Granted;
import io.holdfast.lock.port.AcquireOutcome.QueueFull;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.port.RulesStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The interleavings of waiting, one step at a time: nothing happens here but what a test lets happen. */
class LockWaitersTest {
    private static final Owner CY = new Owner("cy");
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final WaitSettings SETTINGS = WaitSettings.DEFAULT.queueMax(100);

    private final TestClock clock = new TestClock(NOON);
    private final RulesStore store = new RulesStore(new LockRules(SKEW, RETENTION, SETTINGS.queueMax(), true));
    private final Replica here = new Replica(SETTINGS);
    private final LockName name = aName();

    /** A service with timers of its own, on the store that all replicas share. */
    private final class Replica {
        private final FakeTimers timers = new FakeTimers(clock);
        private final LeaseObserver observer =
                new LeaseObserver(() -> Duration.between(NOON, clock.instant()).toNanos(), SKEW, 100);
        private final Waits waits = new Waits();
        private final LockWaiters waiters;
        private final Cleanup cleanup;
        private final LockService service;

        Replica(WaitSettings settings) {
            var limits = new LockLimits(new LockSettings(), settings);
            cleanup = new Cleanup(clock, timers, 100);
            var wiring = new TestWaiters(store, limits, clock, timers, observer);
            waiters = wiring.waiters(waits, cleanup);
            service = wiring.service(waiters);
        }

        Caller asks(Owner owner) {
            return asks(owner, WAIT);
        }

        Caller asks(Owner owner, Duration wait) {
            return asks(owner, wait, LockId.random());
        }

        Caller asks(Owner owner, Duration wait, LockId id) {
            var command = new AcquireCommand(
                    name,
                    owner,
                    Optional.of(id),
                    new LeaseTerms(Optional.of(TTL), Optional.of(wait), Optional.empty()),
                    Labels.NONE);
            return new Caller(owner, service.acquire(command));
        }

        Lease holds(Owner owner) {
            return asks(owner).granted();
        }

        Lease holds(Owner owner, Duration ttl) {
            return ((AcquireOutcome.Granted) await(store.acquire(wants(owner, name, ttl), clock.instant()))).lease();
        }

        void release(Lease lease) {
            await(service.release(lease.ref()));
        }
    }

    private static final class Waits implements WaitListener {
        private final List<End> ends = new ArrayList<>();
        private final List<Duration> handOvers = new ArrayList<>();
        private int waiting;
        private int refused;

        @Override
        public void joined() {
            waiting++;
        }

        @Override
        public void left(End end, Duration waited) {
            waiting--;
            ends.add(end);
        }

        @Override
        public void handedOver(Duration took) {
            handOvers.add(took);
        }

        @Override
        public void refused() {
            refused++;
        }
    }

    // Wake-ups.

    @Test
    void aReleaseHereWakesTheFirstInLineAtOnce() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        assertThat(bob.waits()).isTrue();

        here.release(adas);

        assertThat(bob.granted().token()).isEqualTo(adas.token().next());
        assertThat(store.count(Call.FIND))
                .as("the release had shown the record")
                .isZero();
    }

    @Test
    void aForceReleaseHereWakesTheFirstInLineAtOnce() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);

        await(here.service.forceRelease(name, adas.token(), "gone", Optional.empty()));

        bob.granted();
    }

    /** The release comes when the place in line is given but not yet known here. */
    @Test
    void aReleaseThatComesBeforeTheAnswerToAnArrivalIsNotMissed() {
        var adas = here.holds(ADA);
        store.keepAnswer(Call.ACQUIRE);
        var bob = here.asks(BOB);

        here.release(adas);
        store.goOn();

        bob.granted();
    }

    @Test
    void aReleaseThatComesWhileSomebodyLooksIsNotMissed() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        store.keepAnswer(Call.FIND);
        here.timers.advance(SETTINGS.pollMin());
        assertThat(store.count(Call.FIND)).isOne();

        here.release(adas);
        assertThat(bob.waits()).as("one look at a time").isTrue();
        store.goOn();

        bob.granted();
    }

    @Test
    void aReleaseElsewhereIsSeenWithinThePollingTime() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        here.timers.advance(Duration.ofSeconds(20));
        await(store.release(adas.ref(), clock.instant()));

        here.timers.advance(SETTINGS.pollMax());

        bob.granted();
    }

    @Test
    void anExpiredLeaseIsTakenOverWhenItMayBeAndNotAPollLater() {
        here.holds(ADA);
        var bob = here.asks(BOB);
        here.timers.advance(TTL.plus(SKEW));
        assertThat(bob.waits()).isTrue();

        here.timers.advance(Duration.ofMillis(1));

        bob.granted();
    }

    @Test
    void aDeadWaiterInFrontDelaysTheNextByNoMoreThanItsDeadline() {
        var adas = here.holds(ADA);
        var dead = waits(CY, name, NOON.plusSeconds(10));
        await(store.acquire(dead, NOON));
        var bob = here.asks(BOB);
        here.release(adas);
        here.timers.advance(Duration.ofSeconds(10).minusMillis(1));
        assertThat(bob.waits()).isTrue();

        here.timers.advance(Duration.ofMillis(2));

        bob.granted();
    }

    /** Its process was killed: nobody comes for its tickets, though their callers would have waited for longer. */
    @Test
    void theWaitersOfADeadReplicaDelayTheNextByNoMoreThanTheTicketTtlAndTwoLooks() {
        var adas = here.holds(ADA);
        var dead = new Replica(SETTINGS);
        dead.asks(CY);
        var bob = here.asks(BOB);
        here.release(adas);
        here.timers.advance(SETTINGS.ticketTtl());
        assertThat(bob.waits()).isTrue();

        here.timers.advance(SETTINGS.pollMax().multipliedBy(2));

        bob.granted();
    }

    @Test
    void aReplicaThatLivesKeepsItsWaitersInTheQueueForAsLongAsTheyWait() {
        here.holds(ADA, Duration.ofHours(1));
        var bob = here.asks(BOB, WAIT);
        here.asks(CY, WAIT);

        here.timers.advance(WAIT.minusSeconds(1));

        assertThat(bob.waits()).isTrue();
        assertThat(store.record(name).waitingAt(clock.instant())).isEqualTo(2);
        assertThat(store.count(Call.KEEP_QUEUED)).isEqualTo(11);
    }

    @Test
    void aPlaceThatCouldNotBeGivenUpIsGivenUpWhenTheStoreAnswersAgain() {
        here.holds(ADA, Duration.ofHours(1));
        var bob = here.asks(BOB);
        IntStream.range(0, 3).forEach(i -> store.lose(Call.WITHDRAW));

        bob.goesAway();
        assertThat(store.record(name).queue().size()).isOne();
        here.timers.advance(Duration.ofSeconds(5));

        assertThat(store.record(name).queue().isEmpty()).isTrue();
        assertThat(here.timers.waiting()).isZero();
    }

    /** The store carries it out after the caller was told of a failure, and after it was taken back in vain. */
    @Test
    void aLockThatWasGrantedAfterItsRequestWasTakenBackIsReleasedAllTheSame() {
        store.failAndArriveLate(Call.ACQUIRE);
        var bob = here.asks(BOB);
        assertThat(bob.failure()).isInstanceOf(StoreUnavailableException.class);
        store.goOn();
        assertThat(store.record(name).statusAt(clock.instant())).isEqualTo(LockStatus.ACTIVE);

        here.timers.advance(LockRules.LATE_MAX);

        assertThat(store.record(name).statusAt(clock.instant())).isEqualTo(LockStatus.RELEASED);
        assertThat(here.timers.waiting()).isZero();
    }

    /** A replica that is told to stop waits for what its callers leave behind, also if the store is in trouble meanwhile. */
    @Test
    void theDrainWaitsUntilWhatWasLeftBehindIsTakenBack() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        store.keepFromArriving(Call.ACQUIRE);
        here.release(adas);
        store.lose(Call.WITHDRAW);

        here.waiters.close();

        assertThat(bob.failure()).as("told at once").isInstanceOf(StoreUnavailableException.class);
        assertThat(isIdle()).isFalse();
        store.goOn();
        assertThat(isIdle()).as("the withdrawal was lost").isFalse();
        here.timers.advance(Duration.ofSeconds(1));
        assertThat(isIdle()).isTrue();
        assertThat(store.record(name).statusAt(clock.instant())).isEqualTo(LockStatus.RELEASED);
    }

    private boolean isIdle() {
        return here.cleanup.idle().subscribeAsCompletionStage().isDone();
    }

    // Order.

    @Test
    void sixtyFourWaitersAreGrantedTheLockInTheOrderOfTheirArrival() {
        var first = here.holds(ADA);
        var callers = IntStream.range(0, 64)
                .mapToObj(i -> here.asks(new Owner("w" + i)))
                .toList();

        var last = first;
        for (var caller : callers) {
            assertThat(callers.stream().filter(Caller::isAnswered).count()).isEqualTo(callers.indexOf(caller));
            here.release(last);
            last = caller.granted();
        }
    }

    @Test
    void theLineIsOneAcrossReplicas() {
        var there = new Replica(SETTINGS);
        var first = here.holds(ADA);
        var callers = IntStream.range(0, 20)
                .mapToObj(i -> (i % 3 == 0 ? here : there).asks(new Owner("w" + i)))
                .toList();

        var last = first;
        for (var caller : callers) {
            assertThat(callers.stream().filter(Caller::isAnswered).count()).isEqualTo(callers.indexOf(caller));
            here.release(last);
            for (var polls = 0; !caller.isAnswered() && polls < 8; polls++) {
                here.timers.advance(Duration.ofMillis(250));
                there.timers.advance(Duration.ZERO);
            }
            last = caller.granted();
        }
    }

    // Cost.

    @Test
    void aHundredWaitersAskTheStoreNoMoreOftenThanTwo() {
        assertThat(costOfAMinuteFor(100)).isLessThanOrEqualTo(costOfAMinuteFor(2) * 12 / 10 + 2);
    }

    private int costOfAMinuteFor(int callers) {
        var busy = new LockName("busy-" + callers);
        await(store.acquire(wants(ADA, busy, Duration.ofHours(1)), clock.instant()));
        var replica = new Replica(SETTINGS);
        for (var i = 0; i < callers; i++) {
            var command = new AcquireCommand(
                    busy,
                    new Owner("w" + i),
                    Optional.empty(),
                    new LeaseTerms(Optional.empty(), Optional.of(Duration.ofMinutes(5)), Optional.empty()),
                    Labels.NONE);
            new Caller(ADA, replica.service.acquire(command));
        }
        var looks = store.count(Call.FIND);
        var writes = store.count(Call.ACQUIRE);
        replica.timers.advance(Duration.ofMinutes(1));
        assertThat(store.count(Call.ACQUIRE))
                .as("nobody writes to see whether it is free")
                .isEqualTo(writes);
        return store.count(Call.FIND) - looks;
    }

    // Leaving.

    @Test
    void aCallerThatGoesAwayLeavesTheLineAtOnce() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        var cy = here.asks(CY);

        bob.goesAway();

        assertThat(store.record(name).queue().tickets())
                .extracting(Ticket::owner)
                .containsExactly(CY);
        assertThat(here.waits.ends).contains(WaitListener.End.ABANDONED);
        here.release(adas);
        cy.granted();
    }

    @Test
    void aCallerThatGoesAwayFromAFreeLockLetsTheNextOneIn() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        var cy = here.asks(CY);
        // Released elsewhere, and seen by nobody here so far.
        await(store.release(adas.ref(), clock.instant()));

        bob.goesAway();

        cy.granted();
    }

    @Test
    void aCallerThatGoesAwayBeforeItHasAPlaceLeavesNoTicketBehind() {
        here.holds(ADA);
        store.keepFromArriving(Call.ACQUIRE);
        var bob = here.asks(BOB);

        bob.goesAway();
        assertThat(store.count(Call.WITHDRAW))
                .as("what was not done yet cannot be undone")
                .isZero();
        store.goOn();

        assertThat(store.record(name).queue().isEmpty()).isTrue();
    }

    @Test
    void aCallerThatGoesAwayWhileALookIsUnderWayForItLeavesWhenThatIsOver() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        var cy = here.asks(CY);
        store.keepAnswer(Call.FIND);
        here.timers.advance(SETTINGS.pollMin());

        bob.goesAway();
        store.goOn();

        assertThat(store.record(name).queue().tickets())
                .extracting(Ticket::owner)
                .containsExactly(CY);
        here.release(adas);
        cy.granted();
    }

    /** The grant is on its way when the caller goes: it is given back, and the next one gets it. */
    @Test
    void whatIsGrantedToACallerThatHasGoneIsGivenBack() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        var cy = here.asks(CY);
        store.keepAnswer(Call.ACQUIRE);
        here.release(adas);
        assertThat(store.record(name).lease().owner()).isEqualTo(BOB);

        bob.goesAway();
        store.goOn();

        assertThat(cy.granted().token().value()).isEqualTo(adas.token().value() + 2);
        assertThat(here.waits.ends).containsExactly(WaitListener.End.ABANDONED, WaitListener.End.GRANTED);
    }

    @Test
    void aFirstRequestThatIsGrantedToACallerThatHasGoneIsGivenBack() {
        store.keepAnswer(Call.ACQUIRE);
        var bob = here.asks(BOB);

        bob.goesAway();
        store.goOn();

        assertThat(store.record(name).statusAt(clock.instant())).isEqualTo(LockStatus.RELEASED);
    }

    /** The caller lost its connection and asked again elsewhere, and was told that the lock is its own. */
    @Test
    void whatIsGrantedToACallerThatHasAskedAgainIsNotGivenBack() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        store.keepAnswer(Call.ACQUIRE);
        here.release(adas);
        var ref = store.record(name).lease().ref();
        var again = askedAgain(AcquireRequest.once(ref, TTL, Labels.NONE), NOON, NOON.plusSeconds(50));
        assertThat(await(store.acquire(again, clock.instant()))).isInstanceOf(AlreadyHeld.class);

        bob.goesAway();
        store.goOn();

        assertThat(store.record(name).statusAt(clock.instant())).isEqualTo(LockStatus.ACTIVE);
    }

    /** Both connections live, at one replica: the place is the later one's, and the earlier one must not stand before it. */
    @Test
    void theSameRequestAskedAgainAtTheSameReplicaIsGrantedTheLockAndTheFirstIsToldSo() {
        var adas = here.holds(ADA);
        var id = LockId.random();
        var first = here.asks(BOB, WAIT, id);
        var again = here.asks(BOB, WAIT, id);
        here.asks(CY);

        here.release(adas);

        assertThat(first.outcome()).isInstanceOfSatisfying(AlreadyHeld.class, yours -> assertThat(yours.lease())
                .isEqualTo(again.granted()));
    }

    /** The lease has expired, and may be taken over a moment later. Its owner joins the queue again, at the end. */
    @Test
    void theHeadOfTheQueueIsGrantedTheLockThoughTheOwnerOfTheExpiredLeaseWaitsBehindIt() {
        here.holds(ADA, Duration.ofSeconds(10));
        var bob = here.asks(BOB);
        here.timers.advance(Duration.ofMillis(10_300));
        var ada = here.asks(ADA);
        assertThat(ada.waits()).isTrue();

        here.timers.advance(SKEW.plus(SETTINGS.pollMax()));

        bob.granted();
    }

    // Deadlines.

    @Test
    void whoWaitsInVainIsToldWhoHasIt() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB, Duration.ofSeconds(10));

        here.timers.advance(Duration.ofSeconds(10));

        assertThat(bob.outcome()).isInstanceOfSatisfying(GaveUp.class, gaveUp -> assertThat(
                        gaveUp.record().map(LockRecord::lease))
                .contains(adas));
        assertThat(here.timers.waiting()).isZero();
        assertThat(store.count(Call.WITHDRAW))
                .as("a dead ticket is passed by anyway")
                .isZero();
    }

    /** What is left is told as of the answer: whoever waited cannot count from before it asked. */
    @Test
    void whatIsLeftOfALeaseIsToldAsOfTheAnswer() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        here.timers.advance(Duration.ofSeconds(20));
        store.keepAnswer(Call.ACQUIRE);
        here.release(adas);
        here.timers.advance(Duration.ofSeconds(2));
        store.goOn();

        assertThat(bob.granted().remainingAt(bob.answeredAt())).isEqualTo(TTL.minusSeconds(2));
    }

    @Test
    void aGrantUnderWayAtTheDeadlineCounts() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB, Duration.ofSeconds(10));
        here.timers.advance(Duration.ofSeconds(9));
        store.keepAnswer(Call.ACQUIRE);
        here.release(adas);

        here.timers.advance(Duration.ofSeconds(1));
        assertThat(bob.waits()).isTrue();
        store.goOn();

        bob.granted();
    }

    @Test
    void aLookUnderWayAtTheDeadlineIsTheLast() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB, Duration.ofSeconds(10));
        store.keepAnswer(Call.FIND);
        here.timers.advance(Duration.ofSeconds(10));

        here.release(adas);
        store.goOn();

        assertThat(bob.outcome()).isInstanceOf(GaveUp.class);
        assertThat(store.record(name).statusAt(clock.instant())).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aWaitThatTheStoreEndsIsLoggedAsOneThatItsTimerEnds() {
        here.holds(ADA);
        try (var lines = new LogLines(LocalWaitQueue.class.getName())) {
            var bob = here.asks(BOB, Duration.ofSeconds(10));
            store.keepAnswer(Call.FIND);
            here.timers.advance(Duration.ofSeconds(10));
            store.goOn();

            assertThat(bob.outcome()).isInstanceOf(GaveUp.class);
            assertThat(lines.records()).singleElement().satisfies(line -> assertThat(
                            line.getMessage().formatted(line.getParameters()))
                    .matches("Lock not granted in time lock=\\S+ lock_id=\\S+ waited_ms=10000"));
        }
    }

    /** By the clock that was set back its ticket would live on, and keep the lock from everybody. */
    @Test
    void whoGivesUpAfterTheClockWasSetBackTakesTheTicketAlong() {
        here.holds(ADA);
        var bob = here.asks(BOB, Duration.ofSeconds(10));
        here.timers.goesOffAfter(Duration.ofSeconds(10), Duration.ofHours(-1));

        assertThat(bob.outcome()).isInstanceOf(GaveUp.class);
        assertThat(store.record(name).queue().isEmpty()).isTrue();
    }

    @Test
    void whoeverIsBehindOneThatGaveUpIsNext() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB, Duration.ofSeconds(10));
        var cy = here.asks(CY);
        here.timers.advance(Duration.ofSeconds(10));
        assertThat(bob.outcome()).isInstanceOf(GaveUp.class);

        here.release(adas);

        cy.granted();
    }

    // Failures.

    @Test
    void aStoreThatFailsForAWhileCostsNobodyThePlace() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        IntStream.range(0, 3).forEach(i -> store.lose(Call.FIND));
        here.timers.advance(Duration.ofSeconds(5));
        assertThat(bob.waits()).isTrue();

        here.release(adas);

        bob.granted();
    }

    @Test
    void aGrantWhoseAnswerWasLostIsFoundByTheNextLook() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        store.loseAnswer(Call.ACQUIRE);
        here.release(adas);
        assertThat(bob.waits()).isTrue();

        here.timers.advance(SETTINGS.pollMax());

        assertThat(bob.granted()).isEqualTo(store.record(name).lease());
    }

    @Test
    void atTheDeadlineNobodyIsToldThatTheyDoNotHoldWhatTheyMayHold() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB, Duration.ofSeconds(10));
        here.timers.advance(Duration.ofSeconds(10).minusMillis(1));
        store.loseAnswer(Call.ACQUIRE);
        here.release(adas);

        here.timers.advance(Duration.ofMillis(1));

        assertThat(bob.failure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.record(name).statusAt(clock.instant()))
                .as("and what they do not know of is given back")
                .isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aPlaceWhoseAnswerWasLostIsGivenUp() {
        here.holds(ADA);
        store.loseAnswer(Call.ACQUIRE);

        var bob = here.asks(BOB);

        assertThat(bob.failure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.record(name).queue().isEmpty()).isTrue();
    }

    @Test
    void aTicketThatWasLostIsTakenAnew() {
        var adas = here.holds(ADA);
        var bob = here.asks(BOB);
        store.put(store.record(name).with(WaitQueue.EMPTY));
        here.timers.advance(SETTINGS.pollMin());

        assertThat(store.record(name).queue().tickets())
                .extracting(Ticket::owner)
                .containsExactly(BOB);
        here.release(adas);
        bob.granted();
    }

    // Limits, and the end.

    @Test
    void noMoreCallersWaitHereThanAllowed() {
        var small = new Replica(SETTINGS.callersMax(2));
        var adas = small.holds(ADA);
        var bob = small.asks(BOB);
        small.asks(CY);

        assertThat(small.asks(new Owner("dora")).outcome()).isEqualTo(new QueueFull(name, 2, WaitConfig.CALLERS_MAX));
        assertThat(small.waits.refused).isOne();

        bob.goesAway();
        assertThat(small.asks(new Owner("dora")).waits()).isTrue();
        small.release(adas);
    }

    @Test
    void whoeverIsAnsweredOrGoneCountsNoLonger() {
        var small = new Replica(SETTINGS.callersMax(1));
        for (var i = 0; i < 3; i++) {
            var adas = small.holds(ADA);
            store.loseAnswer(Call.ACQUIRE);
            assertThat(small.asks(BOB).failure()).isNotNull();
            small.asks(BOB).goesAway();
            var bob = small.asks(BOB);
            small.release(adas);
            small.release(bob.granted());
        }
        assertThat(small.waits.waiting).isZero();
    }

    @Test
    void aServiceThatIsToldToGoSendsEverybodyAwayAndTheyLeaveTheLine() {
        here.holds(ADA);
        var bob = here.asks(BOB);
        var cy = here.asks(CY);

        here.waiters.close();

        assertThat(bob.failure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(cy.failure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(here.asks(BOB).failure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.record(name).queue().isEmpty()).isTrue();
        assertThat(here.timers.waiting()).isZero();
    }

    @Test
    void whoeverIsStillArrivingWhenTheServiceGoesIsSentAwayToo() {
        here.holds(ADA);
        store.keepAnswer(Call.ACQUIRE);
        var bob = here.asks(BOB);

        here.waiters.close();
        store.goOn();

        assertThat(bob.failure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.record(name).queue().isEmpty()).isTrue();
    }

    @Test
    void aSecondRequestOfAnOwnerGetsTheSameLeaseAndLeavesNoTicket() {
        var adas = here.holds(ADA);
        var once = here.asks(BOB);
        var twice = here.asks(BOB);
        here.release(adas);
        var bobs = once.granted();

        here.timers.advance(SETTINGS.pollMax());

        assertThat(twice.outcome()).isInstanceOfSatisfying(AlreadyHeld.class, yours -> assertThat(yours.lease())
                .isEqualTo(bobs));
        assertThat(store.record(name).queue().isEmpty()).isTrue();
    }

    // Measuring.

    @Test
    void aHandOverIsMeasuredFromTheReleaseOn() {
        var adas = here.holds(ADA);
        here.asks(BOB);
        here.timers.advance(Duration.ofSeconds(20));
        await(store.release(adas.ref(), clock.instant().minusMillis(300)));

        here.timers.advance(SETTINGS.pollMax());

        assertThat(here.waits.handOvers).singleElement().satisfies(took -> assertThat(took)
                .isBetween(Duration.ofMillis(300), Duration.ofMillis(1300)));
        assertThat(here.waits.ends).containsExactly(WaitListener.End.GRANTED);
    }

    // Leases with a wild end.

    @Test
    void aDeadLockWithAWildEndIsTakenOverOnceItWasWatchedForItsWholeDuration() {
        var wild = wants(ADA, name);
        await(store.acquire(wild, NOON.plus(Duration.ofDays(3650))));
        var bob = here.asks(BOB, Duration.ofMinutes(2));

        here.timers.advance(TTL.plus(SKEW));
        assertThat(bob.waits()).isTrue();
        here.timers.advance(SETTINGS.pollMax().plusMillis(1));

        bob.granted();
    }

    @Test
    void aWildLeaseThatWasRenewedOnceIsWatchedAnewFromThenOn() {
        var wild = wants(ADA, name);
        await(store.acquire(wild, NOON.plus(Duration.ofDays(3650))));
        var bob = here.asks(BOB, Duration.ofMinutes(2));
        here.timers.advance(TTL.dividedBy(2));
        await(store.renew(wild.ref(), Optional.empty(), clock.instant()));

        here.timers.advance(TTL.plus(SKEW));
        assertThat(bob.waits()).isTrue();
        here.timers.advance(SETTINGS.pollMax().multipliedBy(2));

        bob.granted();
    }

    @Test
    void whoOnlyAsksNowAndThenAlsoOutlastsAWildEnd() {
        await(store.acquire(wants(ADA, name), NOON.plus(Duration.ofDays(3650))));
        var command = new AcquireCommand(name, BOB, Optional.empty(), LeaseTerms.once(TTL), Labels.NONE);
        assertThat(await(here.service.acquire(command)).answer()).isInstanceOf(AcquireOutcome.HeldByAnother.class);

        clock.advance(TTL.plus(SKEW));
        assertThat(await(here.service.acquire(command)).answer()).isInstanceOf(AcquireOutcome.HeldByAnother.class);
        clock.advance(Duration.ofMillis(1));

        assertThat(await(here.service.acquire(command)).answer()).isInstanceOf(Granted.class);
    }

    @Test
    void aWildLeaseThatItsHolderKeepsRenewingIsNotTakenOver() {
        var wild = wants(ADA, name);
        var far = NOON.plus(Duration.ofDays(3650));
        await(store.acquire(wild, far));
        var bob = here.asks(BOB, Duration.ofMinutes(2));
        for (var i = 1; i <= 3; i++) {
            here.timers.advance(TTL.minusSeconds(1));
            // By the right clock and by the wrong one, in turns.
            await(store.renew(wild.ref(), Optional.empty(), i % 2 == 0 ? far.plusSeconds(i) : clock.instant()));
        }

        assertThat(bob.waits()).isTrue();
    }
}

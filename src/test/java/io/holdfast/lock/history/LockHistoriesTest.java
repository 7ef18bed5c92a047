package io.holdfast.lock.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.history.Profile.Disturbance;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Random histories on the rules, which every store obeys. Each profile is made to meet one way of breaking a promise. */
class LockHistoriesTest {
    private Histories histories;

    @BeforeEach
    void begin() {
        histories = new Histories();
    }

    @AfterEach
    void end() {
        histories.close();
    }

    @Test
    void aHoldThatMovesToAnotherReplicaIsNotEndedByItsOlderConnection() {
        histories.play(100, movingHolds(), RulesBackend::new);
    }

    @Test
    void aClientWhoseLeaseWasAnothersInBetweenIsNotToldThatItGoesOn() {
        histories.play(100, lateDuplicates(), RulesBackend::new);
    }

    @Test
    void tokensRiseAfterAGrantByAClockFarAhead() {
        histories.play(100, wildClocksAndPurges(), RulesBackend::new);
    }

    @Test
    void aSetThatIsAnswered503EndsNothingThatAnEarlierAttemptWasGranted() {
        histories.play(100, repeatedSets(), RulesBackend::new);
    }

    @Test
    void noClientIsGrantedALockBeforeThoseWhoWaitForItAlsoAfterAnOutageOfTheStore() {
        histories.play(60, outages(), RulesBackend::new);
    }

    @Test
    void noPromiseIsBrokenByClocksThatAreSetBySeconds() {
        histories.play(40, clocksSetBySeconds(), RulesBackend::new);
    }

    @Test
    void noPromiseIsBrokenWhateverHappens() {
        histories.play(60, everything(), RulesBackend::new);
    }

    @Test
    void clientsWithOneOwnerStringAndDifferentSubjectsAreDifferentOwners() {
        histories.play(60, oneOwnerName(), RulesBackend::new);
    }

    @Test
    void aSeedGivesTheSameHistoryEachTime() {
        var first = new History(everything(), 7, RulesBackend::new);
        first.play();
        var second = new History(everything(), 7, RulesBackend::new);
        second.play();

        assertThat(second.journal()).hasSizeGreaterThan(50).isEqualTo(first.journal());
    }

    /** All kinds of clients and all kinds of trouble, but for clocks that are set beyond the guard. */
    static Profile everything() {
        return new Profile()
                .locks(3)
                .leases(2)
                .holds(2)
                .sets(1)
                .heartbeats(1)
                .pauses(0.05)
                .moves(0.03)
                .repeats(0.1)
                .storeTrouble(0.05)
                .clientTrouble(0.02)
                .lateDuplicates(0.05)
                .disturbEvery(Duration.ofSeconds(8))
                .disturbance(Disturbance.FREEZE, 2)
                .disturbance(Disturbance.SUSPEND, 1)
                .disturbance(Disturbance.DIE, 1)
                .disturbance(Disturbance.DRAIN, 1)
                .disturbance(Disturbance.CLOCK_DRIFT, 1)
                .disturbance(Disturbance.SWEEP, 1)
                .disturbance(Disturbance.TIDY_UP, 1)
                .disturbance(Disturbance.FORCE_RELEASE, 1)
                .disturbance(Disturbance.LOOK, 4);
    }

    /** More clients at fewer locks than {@link #everything()}, so that they often meet. */
    static Profile oneOwnerName() {
        return everything()
                .locks(2)
                .leases(3)
                .disturbance(Disturbance.FORCE_RELEASE, 3)
                .oneOwnerName();
    }

    /** Beyond the guard, and by so little that it looks like a request that was held up on its way. */
    static Profile clocksSetBySeconds() {
        return everything()
                .clockStep(Duration.ofSeconds(20))
                .disturbance(Disturbance.CLOCK_AHEAD, 2)
                .disturbance(Disturbance.CLOCK_BEHIND, 2);
    }

    static Profile movingHolds() {
        return new Profile()
                .locks(1)
                .holds(3)
                .waiting(0.8)
                .moves(0.08)
                .disturbEvery(Duration.ofSeconds(20))
                .disturbance(Disturbance.FREEZE, 2)
                .disturbance(Disturbance.DIE, 1)
                .disturbance(Disturbance.LOOK, 3);
    }

    static Profile lateDuplicates() {
        return new Profile()
                .locks(1)
                .leases(3)
                .times(Duration.ofMinutes(4), Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(3))
                .waiting(0.2)
                .pauses(0.4)
                .lateDuplicates(0.5)
                .clientTrouble(0.02);
    }

    /** Long idle times, so that records are purged and born again. */
    static Profile wildClocksAndPurges() {
        return new Profile()
                .locks(2)
                .leases(2)
                .waiting(0)
                .times(Duration.ofDays(10), Duration.ofSeconds(12), Duration.ofSeconds(3), Duration.ofHours(30))
                .clockStep(Duration.ofDays(30))
                .disturbEvery(Duration.ofHours(3))
                .disturbance(Disturbance.CLOCK_AHEAD, 1)
                .disturbance(Disturbance.TIDY_UP, 2)
                .disturbance(Disturbance.SWEEP, 3);
    }

    /** Long waits, so that queues outlive an outage, and looks that show them. */
    static Profile outages() {
        return new Profile()
                .locks(1)
                .leases(6)
                .inOrder()
                .waiting(0.7)
                .waitMax(Duration.ofMinutes(4))
                .times(Duration.ofMinutes(10), Duration.ofSeconds(12), Duration.ofSeconds(15), Duration.ofSeconds(20))
                .disturbEvery(Duration.ofSeconds(2))
                .disturbance(Disturbance.OUTAGE, 1)
                .disturbance(Disturbance.DIE, 1)
                .disturbance(Disturbance.CLOCK_DRIFT, 1)
                .disturbance(Disturbance.LOOK, 30);
    }

    static Profile repeatedSets() {
        return new Profile()
                .locks(3)
                .sets(2)
                .leases(1)
                .waiting(0.3)
                .repeats(0.5)
                .storeTrouble(0.05, Fate.REQUEST_LOST, Fate.ANSWER_LOST)
                .disturbEvery(Duration.ofSeconds(3))
                .disturbance(Disturbance.LOOK, 1);
    }
}

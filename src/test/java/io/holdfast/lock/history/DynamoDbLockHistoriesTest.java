package io.holdfast.lock.history;

import io.holdfast.lock.history.Profile.Disturbance;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Random histories on the DynamoDB store: what only its retries and its clock guard can get wrong, and the others again. */
class DynamoDbLockHistoriesTest {
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
    void aReplicaWhoseClockWasSetAheadTakesOverNoLiveLease() {
        histories.play(40, clocksSetAhead(), DynamoDbBackend::new);
    }

    @Test
    void aReplicaWhoseClockWasSetBackGrantsNothingThatOthersTakeForExpired() {
        histories.play(40, clocksSetBack(), DynamoDbBackend::new);
    }

    @Test
    void aReleaseThatWasCarriedOutIsNotAnsweredAsRefused() {
        histories.play(40, lostAnswersToReleases(), DynamoDbBackend::new);
    }

    @Test
    void aForceReleaseThatWasCarriedOutIsNotAnsweredAsRefused() {
        histories.play(40, lostAnswersToForceReleases(), DynamoDbBackend::new);
    }

    @Test
    void aHoldThatMovesToAnotherReplicaIsNotEndedByItsOlderConnection() {
        histories.play(40, LockHistoriesTest.movingHolds(), DynamoDbBackend::new);
    }

    @Test
    void aClientWhoseLeaseWasAnothersInBetweenIsNotToldThatItGoesOn() {
        histories.play(40, LockHistoriesTest.lateDuplicates(), DynamoDbBackend::new);
    }

    @Test
    void tokensRiseAfterAGrantByAClockFarAhead() {
        histories.play(40, LockHistoriesTest.wildClocksAndPurges(), DynamoDbBackend::new);
    }

    @Test
    void aSetThatIsAnswered503EndsNothingThatAnEarlierAttemptWasGranted() {
        histories.play(40, LockHistoriesTest.repeatedSets().storeTrouble(0.3), DynamoDbBackend::new);
    }

    @Test
    void noClientIsGrantedALockBeforeThoseWhoWaitForItAlsoAfterAnOutageOfTheStore() {
        histories.play(30, LockHistoriesTest.outages(), DynamoDbBackend::new);
    }

    @Test
    void noPromiseIsBrokenByClocksThatAreSetBySeconds() {
        histories.play(40, LockHistoriesTest.clocksSetBySeconds(), DynamoDbBackend::new);
    }

    @Test
    void noPromiseIsBrokenWhateverHappens() {
        histories.play(20, LockHistoriesTest.everything(), DynamoDbBackend::new);
    }

    @Test
    void clientsWithOneOwnerStringAndDifferentSubjectsAreDifferentOwners() {
        histories.play(30, LockHistoriesTest.oneOwnerName(), DynamoDbBackend::new);
    }

    /** Long leases that nobody renews, and clients that only ask: the first request after the step decides. */
    static Profile clocksSetAhead() {
        return new Profile()
                .locks(2)
                .leases(3)
                .waiting(0.3)
                .times(Duration.ofMinutes(20), Duration.ofMinutes(2), Duration.ofSeconds(35), Duration.ofSeconds(20))
                .disturbEvery(Duration.ofSeconds(20))
                .disturbance(Disturbance.CLOCK_AHEAD, 2)
                .disturbance(Disturbance.CLOCK_DRIFT, 1);
    }

    static Profile clocksSetBack() {
        return new Profile()
                .locks(1)
                .leases(3)
                .waiting(0.3)
                .times(Duration.ofMinutes(20), Duration.ofMinutes(2), Duration.ofSeconds(35), Duration.ofSeconds(20))
                .disturbEvery(Duration.ofSeconds(20))
                .disturbance(Disturbance.CLOCK_BEHIND, 2)
                .disturbance(Disturbance.CLOCK_DRIFT, 1);
    }

    static Profile lostAnswersToReleases() {
        return new Profile()
                .locks(1)
                .leases(4)
                .waiting(0.9)
                .times(Duration.ofMinutes(4), Duration.ofSeconds(12), Duration.ofSeconds(8), Duration.ofSeconds(2))
                .storeTrouble(0.15, Fate.ANSWER_LOST);
    }

    /** Hardly anyone releases by itself. */
    static Profile lostAnswersToForceReleases() {
        return lostAnswersToReleases()
                .times(Duration.ofMinutes(4), Duration.ofSeconds(12), Duration.ofHours(10), Duration.ofSeconds(2))
                .disturbEvery(Duration.ofSeconds(6))
                .disturbance(Disturbance.FORCE_RELEASE, 1);
    }
}

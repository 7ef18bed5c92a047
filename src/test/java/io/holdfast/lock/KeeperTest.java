package io.holdfast.lock;

import static io.holdfast.lock.Fixtures.ADA;
import static io.holdfast.lock.Fixtures.BOB;
import static io.holdfast.lock.Fixtures.await;
import static io.holdfast.lock.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeeperTest extends Kept {
    private static final Duration THIRD = TTL.dividedBy(3);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final List<Loss.Cause> losses = new ArrayList<>();

    @Test
    void aLeaseIsRenewedAtItsShareAndOutlivesManyOfItsDurations() {
        var keeper = keep(Optional.empty());

        pass(THIRD.minus(MOMENT));
        assertThat(renewals()).isZero();
        pass(MOMENT);
        assertThat(renewals()).isEqualTo(1);
        pass(TTL.multipliedBy(100));

        assertThat(renewals()).isEqualTo(301);
        assertThat(keeper.lease()).isEqualTo(record().lease());
        assertThat(losses).isEmpty();
    }

    /** Nobody watches a clock that can be set: somebody else may be watching whether the lease is ever touched. */
    @Test
    void aLeaseIsRenewedInTimeThoughTheClockWasSetBack() {
        keep(Optional.empty());

        timers.goesOffAfter(THIRD, Duration.ofHours(-1));
        assertThat(renewals()).isEqualTo(1);
        pass(THIRD);

        assertThat(renewals()).isEqualTo(2);
        assertThat(losses).isEmpty();
    }

    @Test
    void aLeaseThatCannotBeRenewedIsLostInTimeThoughTheClockWasSetBack() {
        keep(Optional.empty());
        store.mood = HandStore.Mood.UNREACHABLE;

        timers.goesOffAfter(TTL, Duration.ofHours(-1));

        assertThat(losses).containsExactly(Loss.Cause.STORE_UNREACHABLE);
    }

    @Test
    void aLeaseGrantedByAClockFarAheadIsTouchedAsOftenAsAnyOther() {
        keep(Optional.empty(), clock.instant().plus(Duration.ofDays(365)));

        pass(TTL.multipliedBy(2));

        assertThat(renewals()).isEqualTo(6);
        assertThat(losses).isEmpty();
    }

    @Test
    void afterAStopNothingIsRenewedAndNoTimerIsLeft() {
        var keeper = keep(Optional.empty());

        await(keeper.stop());
        pass(TTL);

        assertThat(renewals()).isZero();
        assertThat(timers.waiting()).isZero();
        assertThat(losses).isEmpty();
    }

    @Test
    void aStopIsCompleteOnlyWhenTheRenewalUnderWayHasEnded() {
        var keeper = keep(Optional.empty());
        store.slow = true;
        pass(THIRD);

        var stopped = keeper.stop().subscribeAsCompletionStage();

        assertThat(stopped).isNotDone();
        store.goOn();
        assertThat(stopped).isDone();
        assertThat(keeper.lease()).isEqualTo(record().lease());
        assertThat(store.renewalsAsked).isEqualTo(1);
    }

    @Test
    void aStoreThatComesBackInTimeLosesNothing() {
        keep(Optional.empty());
        store.mood = HandStore.Mood.UNREACHABLE;
        pass(TTL.minus(Duration.ofSeconds(5)));
        assertThat(store.renewalsAsked).isBetween(4, 12);

        store.mood = HandStore.Mood.ANSWERING;
        pass(Duration.ofSeconds(4));

        assertThat(renewals()).isEqualTo(1);
        assertThat(losses).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerUntilTheEndLosesTheLeaseThenAndNotBefore() {
        keep(Optional.empty());
        store.mood = HandStore.Mood.UNREACHABLE;

        pass(TTL.minus(MOMENT));
        assertThat(losses).isEmpty();
        pass(MOMENT);

        assertThat(losses).containsExactly(Loss.Cause.STORE_UNREACHABLE);
        pass(TTL);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aRenewalThatNeverIsAnsweredLosesTheLeaseAtItsEnd() {
        keep(Optional.empty());
        store.slow = true;

        pass(TTL);

        assertThat(losses).containsExactly(Loss.Cause.STORE_UNREACHABLE);
        assertThat(store.renewalsAsked).isEqualTo(1);
    }

    @Test
    void aForceReleaseHereIsToldAtOnce() {
        var lease = keep(Optional.empty()).lease();

        await(here.locks.forceRelease(name, lease.token(), "stuck", Optional.empty()));

        assertThat(losses).containsExactly(Loss.Cause.FORCED);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aForceReleaseElsewhereIsToldAtTheNextRenewal() {
        var lease = keep(Optional.empty()).lease();

        await(new Replica().locks.forceRelease(name, lease.token(), "stuck", Optional.empty()));
        assertThat(losses).isEmpty();
        pass(THIRD);

        assertThat(losses).containsExactly(Loss.Cause.FORCED);
    }

    @Test
    void aLossElsewhereIsToldWithoutAGuessIfTheNextOneHasTheLock() {
        var lease = keep(Optional.empty()).lease();
        await(new Replica().locks.forceRelease(name, lease.token(), "stuck", Optional.empty()));
        await(store.acquire(wants(BOB, name), clock.instant()));

        pass(THIRD);

        assertThat(losses).containsExactly(Loss.Cause.RELEASED);
    }

    @Test
    void aReleaseElsewhereIsToldAtTheNextRenewal() {
        var lease = keep(Optional.empty()).lease();

        await(new Replica().locks.release(lease.ref()));
        pass(THIRD);

        assertThat(losses).containsExactly(Loss.Cause.RELEASED);
    }

    @Test
    void aProcessThatSleptTooLongHasLostItsLease() {
        keep(Optional.empty());

        clock.advance(TTL);
        pass(Duration.ZERO);

        assertThat(losses).containsExactly(Loss.Cause.EXPIRED);
    }

    @Test
    void noRenewalReachesBeyondTheEnd() {
        var until = clock.instant().plus(TTL.multipliedBy(2)).plusSeconds(5);
        keep(Optional.of(until));

        pass(Duration.between(clock.instant(), until).minus(MOMENT));
        assertThat(losses).isEmpty();
        assertThat(record().lease().expiresAt()).isEqualTo(until);
        pass(MOMENT);

        assertThat(losses).containsExactly(Loss.Cause.MAX_HOLD);
    }

    private Keeper keep(Optional<Instant> until) {
        return keep(until, clock.instant());
    }

    private Keeper keep(Optional<Instant> until, Instant grantedAt) {
        var granted = (AcquireOutcome.Granted) await(store.acquire(wants(ADA, name, TTL), grantedAt));
        var terms = new Keeper.Terms(TTL, 1.0 / 3, until, clock.instant());
        return here.keepers.keep(granted.lease(), terms, loss -> losses.add(loss.cause()));
    }
}

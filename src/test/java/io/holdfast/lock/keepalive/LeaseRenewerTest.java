package io.holdfast.lock.keepalive;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.hold.Kept;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.FakeLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseRenewerTest extends Kept {
    private static final Duration THIRD = TTL.dividedBy(3);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final List<LeaseLoss.Cause> losses = new ArrayList<>();

    @Test
    void aLeaseIsRenewedAtItsShareAndOutlivesManyOfItsDurations() {
        var renewer = keep(Optional.empty());

        pass(THIRD.minus(MOMENT));
        assertThat(renewals()).isZero();
        pass(MOMENT);
        assertThat(renewals()).isEqualTo(1);
        pass(TTL.multipliedBy(100));

        assertThat(renewals()).isEqualTo(301);
        assertThat(renewer.lease()).isEqualTo(record().lease());
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
        store.mood = FakeLockStore.Mood.UNREACHABLE;

        timers.goesOffAfter(TTL, Duration.ofHours(-1));

        assertThat(losses).containsExactly(LeaseLoss.Cause.STORE_UNREACHABLE);
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
        var renewer = keep(Optional.empty());

        await(renewer.stop());
        pass(TTL);

        assertThat(renewals()).isZero();
        assertThat(timers.waiting()).isZero();
        assertThat(losses).isEmpty();
    }

    @Test
    void aStopIsCompleteOnlyWhenTheRenewalUnderWayHasEnded() {
        var renewer = keep(Optional.empty());
        store.slow = true;
        pass(THIRD);

        var stopped = renewer.stop().subscribeAsCompletionStage();

        assertThat(stopped).isNotDone();
        store.goOn();
        assertThat(stopped).isDone();
        assertThat(renewer.lease()).isEqualTo(record().lease());
        assertThat(store.renewalsAsked).isEqualTo(1);
    }

    @Test
    void aStoreThatComesBackInTimeLosesNothing() {
        keep(Optional.empty());
        store.mood = FakeLockStore.Mood.UNREACHABLE;
        pass(TTL.minus(Duration.ofSeconds(5)));
        assertThat(store.renewalsAsked).isBetween(4, 12);

        store.mood = FakeLockStore.Mood.ANSWERING;
        pass(Duration.ofSeconds(4));

        assertThat(renewals()).isEqualTo(1);
        assertThat(losses).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerUntilTheEndLosesTheLeaseThenAndNotBefore() {
        keep(Optional.empty());
        store.mood = FakeLockStore.Mood.UNREACHABLE;

        pass(TTL.minus(MOMENT));
        assertThat(losses).isEmpty();
        pass(MOMENT);

        assertThat(losses).containsExactly(LeaseLoss.Cause.STORE_UNREACHABLE);
        pass(TTL);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aRenewalThatNeverIsAnsweredLosesTheLeaseAtItsEnd() {
        keep(Optional.empty());
        store.slow = true;

        pass(TTL);

        assertThat(losses).containsExactly(LeaseLoss.Cause.STORE_UNREACHABLE);
        assertThat(store.renewalsAsked).isEqualTo(1);
    }

    @Test
    void aForceReleaseHereIsToldAtOnce() {
        var lease = keep(Optional.empty()).lease();

        await(here.locks.forceRelease(name, lease.token(), "stuck", Optional.empty()));

        assertThat(losses).containsExactly(LeaseLoss.Cause.FORCED);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aForceReleaseElsewhereIsToldAtTheNextRenewal() {
        var lease = keep(Optional.empty()).lease();

        await(new Replica().locks.forceRelease(name, lease.token(), "stuck", Optional.empty()));
        assertThat(losses).isEmpty();
        pass(THIRD);

        assertThat(losses).containsExactly(LeaseLoss.Cause.FORCED);
    }

    @Test
    void aLossElsewhereIsToldWithoutAGuessIfTheNextOneHasTheLock() {
        var lease = keep(Optional.empty()).lease();
        await(new Replica().locks.forceRelease(name, lease.token(), "stuck", Optional.empty()));
        await(store.acquire(wants(BOB, name), clock.instant()));

        pass(THIRD);

        assertThat(losses).containsExactly(LeaseLoss.Cause.RELEASED);
    }

    @Test
    void aReleaseElsewhereIsToldAtTheNextRenewal() {
        var lease = keep(Optional.empty()).lease();

        await(new Replica().locks.release(lease.ref()));
        pass(THIRD);

        assertThat(losses).containsExactly(LeaseLoss.Cause.RELEASED);
    }

    @Test
    void aProcessThatSleptTooLongHasLostItsLease() {
        keep(Optional.empty());

        clock.advance(TTL);
        pass(Duration.ZERO);

        assertThat(losses).containsExactly(LeaseLoss.Cause.EXPIRED);
    }

    @Test
    void noRenewalReachesBeyondTheEnd() {
        var until = clock.instant().plus(TTL.multipliedBy(2)).plusSeconds(5);
        keep(Optional.of(until));

        pass(Duration.between(clock.instant(), until).minus(MOMENT));
        assertThat(losses).isEmpty();
        assertThat(record().lease().expiresAt()).isEqualTo(until);
        pass(MOMENT);

        assertThat(losses).containsExactly(LeaseLoss.Cause.MAX_HOLD);
    }

    private LeaseRenewer keep(Optional<Instant> until) {
        return keep(until, clock.instant());
    }

    private LeaseRenewer keep(Optional<Instant> until, Instant grantedAt) {
        var granted = (AcquireOutcome.Granted) await(store.acquire(wants(ADA, name, TTL), grantedAt));
        var terms = new RenewalTerms(TTL, 1.0 / 3, until, clock.instant());
        return here.keepers.renew(granted.lease(), terms, loss -> losses.add(loss.cause()));
    }
}

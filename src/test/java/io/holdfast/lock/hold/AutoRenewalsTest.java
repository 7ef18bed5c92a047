package io.holdfast.lock.hold;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.Fixtures;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AutoRenewalsTest extends Kept {
    private static final Duration AT = TTL.multipliedBy(8).dividedBy(10);
    private static final Duration MOMENT = Duration.ofMillis(1);

    @Test
    void aLeaseIsRenewedAtFourFifthsByItsOwnDuration() {
        acquired(here, TTL);

        pass(AT.minus(MOMENT));
        assertThat(renewals()).isZero();
        pass(MOMENT);

        assertThat(renewals()).isEqualTo(1);
        assertThat(record().lease().remainingAt(clock.instant())).isEqualTo(TTL);
        assertThat(here.counts.leases).isEqualTo(1);
    }

    @Test
    void heartbeatsKeepALeaseAndCostNoCallToTheStore() {
        var lease = acquired(here, TTL);

        for (var i = 0; i < 100; i++) {
            pass(Duration.ofSeconds(10));
            assertThat(beat(here, lease)).isInstanceOf(HeartbeatOutcome.Heard.class);
        }

        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(store.finds).isZero();
    }

    @Test
    void aSilentHoldersLeaseRunsOutAndIsForgotten() {
        acquired(here, TTL);
        pass(AT);
        assertThat(renewals()).isEqualTo(1);

        pass(TTL);

        assertThat(renewals()).isEqualTo(1);
        assertThat(status()).isEqualTo(LockStatus.EXPIRED);
        assertThat(here.counts.leases).isZero();
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aLongLeasesHolderMustHaveBeenHeardLately() {
        var lease = acquired(here, Duration.ofMinutes(30));
        pass(Duration.ofMinutes(23));
        beat(here, lease);

        pass(Duration.ofSeconds(59));
        assertThat(renewals()).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(renewals()).isEqualTo(1);
        pass(Duration.ofMinutes(24));

        assertThat(renewals()).isEqualTo(1);
    }

    @Test
    void aHeartbeatThatComesLateRenewsAtOnce() {
        var lease = acquired(here, TTL);
        pass(AT.plus(AT).plus(MOMENT));
        assertThat(renewals()).isEqualTo(1);

        beat(here, lease);

        assertThat(renewals()).isEqualTo(2);
    }

    @Test
    void aHeartbeatAfterTheEndIsToldSo() {
        var lease = acquired(here, TTL);
        pass(TTL.multipliedBy(2));

        assertThat(beat(here, lease)).isEqualTo(new HeartbeatOutcome.NotHeld(Optional.empty(), Optional.of(record())));
    }

    @Test
    void aHeartbeatAtAnotherReplicaMakesThatOneRenewTheLease() {
        var lease = acquired(here, TTL);
        var other = new Replica();

        for (var i = 0; i < 20; i++) {
            pass(Duration.ofSeconds(10));
            assertThat(beat(other, lease)).isInstanceOf(HeartbeatOutcome.Heard.class);
        }

        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(store.finds).isEqualTo(1);
        assertThat(here.counts.leases).isZero();
        assertThat(other.counts.leases).isEqualTo(1);
    }

    @Test
    void noReplicaTakesOnALeaseThatIsNotTheCallersOrNotToBeRenewed() {
        var bobs = ((AcquireOutcome.Granted) await(store.acquire(wants(BOB, name), clock.instant()))).lease();

        assertThat(beat(here, bobs)).isEqualTo(new HeartbeatOutcome.NotAutoRenewed(bobs));
        assertThat(await(here.renewals.heartbeat(new LeaseRef(name, LockId.random(), ADA)))
                        .answer())
                .isEqualTo(new HeartbeatOutcome.NotHeld(Optional.of(bobs), Optional.empty()));
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void noRenewalOutlivesARelease() {
        var lease = acquired(here, TTL);

        await(here.locks.release(lease.ref()));
        pass(TTL);

        assertThat(store.renewalsAsked).isZero();
        assertThat(here.counts.leases).isZero();
        assertThat(beat(here, lease)).isEqualTo(new HeartbeatOutcome.NotHeld(Optional.empty(), Optional.of(record())));
    }

    @Test
    void aRenewalUnderWayDoesNotReviveWhatIsReleasedMeanwhile() {
        var lease = acquired(here, TTL);
        store.slow = true;
        pass(AT);

        await(here.locks.release(lease.ref()));
        store.goOn();
        pass(TTL);

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(store.renewalsAsked).isEqualTo(1);
    }

    @Test
    void aForceReleaseElsewhereEndsTheRenewalAtItsNextAttempt() {
        acquired(here, TTL);

        await(new Replica().locks.forceRelease(name, record().token(), "stuck", Optional.empty()));
        pass(AT);

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(here.counts.leases).isZero();
    }

    @Test
    void aLeaseIsNeverRenewedBeyondItsMaxHold() {
        var lease = acquired(here, TTL, Duration.ofSeconds(100));
        var until = clock.instant().plusSeconds(100);

        while (clock.instant().isBefore(until)) {
            beat(here, lease);
            pass(Duration.ofSeconds(1));
        }

        assertThat(record().lease().expiresAt()).isEqualTo(until);
        assertThat(beat(here, lease)).isEqualTo(new HeartbeatOutcome.NotHeld(Optional.empty(), Optional.of(record())));
        assertThat(here.counts.leases).isZero();
    }

    @Test
    void aRequestThatIsRepeatedRenewsOnce() {
        acquired(here, TTL);

        var again = await(here.renewals.acquire(wish(name, TTL, Duration.ofHours(1))));
        pass(AT);

        assertThat(again.answer()).isInstanceOf(AcquireOutcome.AlreadyHeld.class);
        assertThat(store.renewalsAsked).isEqualTo(1);
    }

    @Test
    void noMoreThanSoManyAreRenewedAtOneReplica() {
        for (var i = 0; i < KeepAliveSettings.LEASES_MAX; i++) {
            await(here.renewals.acquire(wish(Fixtures.aName(), TTL, Duration.ofHours(1))));
        }

        var refused = await(here.renewals.acquire(wish(name, TTL, Duration.ofHours(1))));

        assertThat(refused.answer())
                .isEqualTo(new AcquireOutcome.QueueFull(name, KeepAliveSettings.LEASES_MAX, RenewalConfig.LEASES_MAX));
        assertThat(await(store.find(name))).isEmpty();
        var elsewhere = acquired(new Replica(), TTL);
        assertThat(beat(here, elsewhere))
                .isEqualTo(new HeartbeatOutcome.TooMany(name, KeepAliveSettings.LEASES_MAX, RenewalConfig.LEASES_MAX));
    }

    private Lease acquired(Replica replica, Duration ttl) {
        return acquired(replica, ttl, Duration.ofHours(1));
    }

    private Lease acquired(Replica replica, Duration ttl, Duration maxHold) {
        var at = await(replica.renewals.acquire(wish(name, ttl, maxHold)));
        return ((AcquireOutcome.Granted) at.answer()).lease();
    }

    private static HeartbeatOutcome beat(Replica replica, Lease lease) {
        return await(replica.renewals.heartbeat(lease.ref())).answer();
    }

    private static AcquireCommand wish(LockName name, Duration ttl, Duration maxHold) {
        var terms = new LeaseTerms(Optional.of(ttl), Optional.empty(), Optional.of(maxHold));
        return new AcquireCommand(name, ADA, Optional.empty(), terms, Labels.NONE);
    }
}

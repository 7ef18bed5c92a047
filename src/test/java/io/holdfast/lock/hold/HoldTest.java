package io.holdfast.lock.hold;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.FakeLockStore;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.RenewOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldTest extends Kept {
    private static final Duration TICK = TTL.dividedBy(10);
    private static final Duration THIRD = TTL.dividedBy(3);
    private static final Optional<Duration> NONE = Optional.empty();

    @Test
    void aHoldTicksIsRenewedAndIsGivenBackWhenItIsClosed() {
        var client = new Client();
        var hold = hold(here, client, NONE, NONE);
        assertThat(client.heard).containsExactly("acquired");
        assertThat(here.counts.holds).isEqualTo(1);

        pass(TTL.multipliedBy(3));
        assertThat(client.ticks).isEqualTo(30);
        assertThat(renewals()).isEqualTo(9);
        hold.close();
        hold.close();

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(client.heard).containsExactly("acquired");
        assertThat(timers.waiting()).isZero();
        assertThat(here.counts.holds).isZero();
    }

    @Test
    void aLeaseThatLingersIsGivenBackWhenNobodyHasComeForIt() {
        var hold = here.holds.hold(wish(name, NONE, NONE), Optional.of(THIRD), new Client());

        hold.close();

        pass(THIRD.minusMillis(1));
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        pass(Duration.ofMillis(1));
        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aLeaseThatLingersIsLeftToItsOwnerWhoCameBack() {
        var command = wish(name, NONE, NONE);
        here.holds.hold(command, Optional.of(THIRD), new Client()).close();
        var token = record().token();
        pass(THIRD.dividedBy(2));
        var client = new Client();

        here.holds.hold(command, Optional.of(THIRD), client);

        pass(TTL);
        assertThat(client.heard).containsExactly("acquired");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(record().token()).isEqualTo(token);
    }

    @Test
    void aLeaseDoesNotLingerForLongerThanItSurelyLasts() {
        assertThatThrownBy(
                        () -> here.holds.hold(wish(name, NONE, NONE), Optional.of(THIRD.plusMillis(1)), new Client()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("linger must be a duration from 0s to a third of the ttl");
        assertThat(await(store.find(name))).isEmpty();
    }

    @Test
    void aHoldThatIsClosedWhileARenewalIsUnderWayIsGivenBackAfterIt() {
        var hold = hold(here, new Client(), NONE, NONE);
        store.slow = true;
        pass(THIRD);

        hold.close();

        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        store.goOn();
        assertThat(renewals()).isEqualTo(1);
        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        pass(TTL);
        assertThat(store.renewalsAsked).isEqualTo(1);
    }

    @Test
    void aClientThatGoesBeforeTheAnswerLeavesNothingBehind() {
        store.slow = true;
        var client = new Client();
        var hold = hold(here, client, NONE, NONE);

        hold.close();
        store.goOn();

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(client.heard).isEmpty();
        assertThat(here.counts.holds).isZero();
    }

    @Test
    void aClientThatGoesWhileItStandsInLineLeavesIt() {
        var bobs = await(store.acquire(wants(BOB, name), clock.instant()));
        var client = new Client();
        var hold = hold(here, client, Optional.of(Duration.ofSeconds(20)), NONE);
        assertThat(record().queue().size()).isEqualTo(1);

        hold.close();

        assertThat(bobs).isInstanceOf(AcquireOutcome.Granted.class);
        assertThat(record().queue().isEmpty()).isTrue();
        assertThat(client.heard).isEmpty();
    }

    @Test
    void aClientThatTakesNothingIsTakenForGone() {
        var client = new Client();
        hold(here, client, NONE, NONE);
        pass(TICK);
        client.taking = false;

        pass(TICK.multipliedBy(HoldTicks.STALLED_MAX - 1));
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        pass(TICK);

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(client.heard).containsExactly("acquired", "hung up");
    }

    /** It may only be cut off, and works on for as long as it was told that it may. */
    @Test
    void aClientThatTakesNothingAndMayComeBackKeepsTheLockForAsLongAsItWasTold() {
        var client = new Client();
        cutOff(client);
        assertThat(client.heard).containsExactly("acquired", "hung up");
        assertThat(renewals()).as("renewed since it was last told").isEqualTo(1);
        var told = client.told.expiresAt();
        assertThat(told).isBefore(record().lease().expiresAt());

        pass(Duration.between(clock.instant(), told).minusMillis(1));
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(renewals()).as("and not any more").isEqualTo(1);
        pass(Duration.ofMillis(1));

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aClientThatWasCutOffAndComesBackInTimeGoesOnWithItsLease() {
        var before = new Client();
        cutOff(before);
        var token = record().token();
        pass(Duration.between(clock.instant(), before.told.expiresAt()).minusMillis(1));
        var client = new Client();

        here.holds.hold(wish(name, NONE, NONE), Optional.of(Duration.ofSeconds(1)), client);

        pass(TTL.multipliedBy(2));
        assertThat(client.heard).containsExactly("acquired");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(record().token()).isEqualTo(token);
    }

    @Test
    void aClientThatTakesNothingHasAtLeastTheTimeThatItAskedFor() {
        var client = new Client();
        here.holds.hold(wish(name, NONE, NONE), Optional.of(THIRD), client);
        store.mood = FakeLockStore.Mood.UNREACHABLE;
        pass(TICK.multipliedBy(6));
        client.taking = false;
        pass(TICK.multipliedBy(HoldTicks.STALLED_MAX));
        store.mood = FakeLockStore.Mood.ANSWERING;
        assertThat(client.heard).containsExactly("acquired", "hung up");

        pass(THIRD.minusMillis(1));
        assertThat(status()).isNotEqualTo(LockStatus.RELEASED);
        pass(Duration.ofMillis(1));

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aClientThatIsSlowNowAndThenKeepsItsLock() {
        var client = new Client();
        hold(here, client, NONE, NONE);

        for (var i = 0; i < 5; i++) {
            client.taking = false;
            pass(TICK.multipliedBy(HoldTicks.STALLED_MAX - 1));
            client.taking = true;
            pass(TICK);
        }

        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void aHoldEndsAtItsMaxHoldAndGivesTheLockBack() {
        var client = new Client();
        hold(here, client, NONE, Optional.of(TTL.multipliedBy(2)));

        pass(TTL.multipliedBy(2));

        assertThat(client.heard).containsExactly("acquired", "MAX_HOLD");
        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(here.counts.lost).containsExactly(LeaseLoss.Cause.MAX_HOLD);
    }

    @Test
    void aStoreThatOnlyKeepsSilentDoesNotKeepTheLockAfterTheLoss() {
        var client = new Client();
        hold(here, client, NONE, NONE);
        store.mood = FakeLockStore.Mood.UNREACHABLE;
        pass(TTL.minusMillis(1));
        store.mood = FakeLockStore.Mood.MUTE;
        store.slow = true;

        pass(Duration.ofMillis(1));
        store.mood = FakeLockStore.Mood.ANSWERING;
        store.goOn();

        assertThat(client.heard).containsExactly("acquired", "STORE_UNREACHABLE");
        assertThat(status()).isNotEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void aRenewalOfWhichNobodyKnowsDoesNotKeepTheLockFromBeingGivenBack() {
        var hold = hold(here, new Client(), NONE, NONE);
        store.mood = FakeLockStore.Mood.MUTE;
        pass(THIRD);
        store.mood = FakeLockStore.Mood.ANSWERING;
        assertThat(renewals()).isEqualTo(1);

        hold.close();

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aForceReleaseIsToldAtOnceAndTheNextHoldersLockIsLeftAlone() {
        var client = new Client();
        var hold = hold(here, client, NONE, NONE);

        await(here.locks.forceRelease(name, record().token(), "stuck", NONE));
        await(store.acquire(wants(BOB, name), clock.instant()));
        hold.close();

        assertThat(client.heard).containsExactly("acquired", "FORCED");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(record().lease().owner()).isEqualTo(BOB);
    }

    @Test
    void aLaterConnectionAtAnotherReplicaKeepsTheLeaseWhenTheFirstEnds() {
        var first = hold(here, new Client(), NONE, NONE);
        var client = new Client();
        var token = record().token();
        hold(new Replica(), client, NONE, NONE);
        assertThat(client.heard).containsExactly("acquired");
        assertThat(renewals())
                .as("touched before it was told, or the first could give it back")
                .isEqualTo(1);

        first.close();
        pass(TTL.multipliedBy(2));

        assertThat(client.heard).containsExactly("acquired");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(record().token()).isEqualTo(token);
    }

    /** The first replica renews before it hears that its connection has ended, and knows the latest lease. */
    @Test
    void aConnectionThatRenewsAfterALaterOneHasTakenOverCannotEndTheLease() {
        for (var linger : List.of(Duration.ZERO, Duration.ofSeconds(2))) {
            var command = wish(Fixtures.aName(), NONE, NONE);
            var stale = new Client();
            var first = here.holds.hold(command, Optional.of(linger), stale);
            pass(Duration.ofSeconds(5));
            var client = new Client();
            new Replica().holds.hold(command, Optional.of(linger), client);
            pass(Duration.ofSeconds(5));
            assertThat(stale.heard).containsExactly("acquired", "SUPERSEDED");

            first.close();
            pass(TTL);

            assertThat(client.heard).containsExactly("acquired");
            assertThat(await(here.locks.acquire(wishOf(BOB, command.name()))).answer())
                    .isInstanceOf(AcquireOutcome.HeldByAnother.class);
        }
    }

    /** The client opened a second connection, lost patience with it and went on with the first one. */
    @Test
    void aConnectionThatEndsWhileItTakesTheLeaseOverLeavesItUntilTheEndThatTheOlderOneWasTold() {
        hold(here, new Client(), NONE, NONE);
        var toldEnd = record().lease().expiresAt();
        pass(TICK);
        store.renewsSlowly = true;
        var second = hold(new Replica(), new Client(), NONE, NONE);
        second.close();
        store.goOn();
        assertThat(record().lease().expiresAt()).isAfter(toldEnd);

        pass(Duration.between(clock.instant(), toldEnd).minusMillis(1));
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        pass(Duration.ofMillis(1));

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aConnectionThatHasEndedDoesNotRenewALeaseThatItFinds() {
        hold(here, new Client(), NONE, NONE);
        store.slow = true;
        var second = hold(new Replica(), new Client(), NONE, NONE);

        second.close();
        store.goOn();

        assertThat(renewals()).isZero();
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void theDrainWaitsForTheAnswerToAHoldThatDoesNotWait() {
        store.slow = true;
        var hold = hold(here, new Client(), NONE, NONE);
        hold.close();
        assertThat(isIdle(here)).isFalse();

        store.goOn();

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(isIdle(here)).isTrue();
    }

    @Test
    void theDrainWaitsForTheRenewalAfterWhichALockIsGivenBack() {
        var hold = hold(here, new Client(), NONE, NONE);
        store.slow = true;
        pass(THIRD);
        hold.close();
        assertThat(isIdle(here)).isFalse();

        store.goOn();

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(isIdle(here)).isTrue();
    }

    /** The connection broke, and its owner renewed by itself before the replica noticed. */
    @Test
    void aConnectionThatEndsAfterTheOwnerHasRenewedByItselfLeavesTheLease() {
        var hold = hold(here, new Client(), NONE, NONE);
        var told = ((RenewOutcome.Renewed)
                        await(here.locks.renew(record().lease().ref(), Optional.of(TTL)))
                                .answer())
                .lease();

        hold.close();

        assertThat(record().lease()).isEqualTo(told);
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
    }

    /** The owner closed and connected again under the same lock_id, before the answer to the release had come back. */
    @Test
    void theAnswerToAReleaseEndsNoLaterLeaseUnderTheSameLockId() {
        var terms = LeaseTerms.once(TTL);
        var command = new AcquireCommand(name, ADA, Optional.of(LockId.random()), terms, Labels.NONE);
        var lease = ((AcquireOutcome.Granted) await(here.locks.acquire(command)).answer()).lease();
        var client = new Client();
        store.beforeAnswer = () -> here.holds.hold(command, NONE, client);

        await(here.locks.release(lease.ref()));

        assertThat(client.heard).containsExactly("acquired");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void aLockThatCouldNotBeGivenBackIsGivenBackWhenTheStoreAnswersAgain() {
        var hold = hold(here, new Client(), NONE, NONE);
        store.mood = FakeLockStore.Mood.UNREACHABLE;
        hold.close();
        pass(Duration.ofSeconds(3));
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);

        store.mood = FakeLockStore.Mood.ANSWERING;
        pass(Duration.ofSeconds(10));

        assertThat(status()).isEqualTo(LockStatus.RELEASED);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void whatCannotBeGivenBackIsLeftToExpireAndNotTriedForEver() {
        var hold = hold(here, new Client(), NONE, NONE);
        store.mood = FakeLockStore.Mood.UNREACHABLE;

        hold.close();
        pass(TTL.plusSeconds(15));

        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aLaterConnectionAtAReplicaWhoseClockIsBehindKeepsTheLeaseThatLingers() {
        var linger = Optional.of(Duration.ofSeconds(1));
        here.holds.hold(wish(name, NONE, NONE), linger, new Client()).close();
        var token = record().token();
        var client = new Client();

        new Replica(Duration.ofMillis(300)).holds.hold(wish(name, NONE, NONE), linger, client);
        pass(TTL.multipliedBy(2));

        assertThat(client.heard).containsExactly("acquired");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(record().token()).isEqualTo(token);
    }

    @Test
    void aReplicaThatGoesAwayLeavesTheLeaseWithAllOfItsTime() {
        var client = new Client();
        var hold = hold(here, client, NONE, NONE);
        pass(TICK);

        await(here.holds.close());
        hold.close();

        assertThat(client.heard).containsExactly("acquired", "SHUTTING_DOWN");
        assertThat(record().lease().remainingAt(clock.instant())).isEqualTo(TTL);
        var late = new Client();
        hold(here, late, NONE, NONE);
        assertThat(late.heard).containsExactly("failed");
    }

    @Test
    void aReplicaThatGoesAwayDoesNotPromiseALeaseThatWasTakenAwayElsewhere() {
        var client = new Client();
        hold(here, client, NONE, NONE);
        await(new Replica().locks.forceRelease(name, record().token(), "stuck", NONE));

        await(here.holds.close());

        assertThat(client.heard).containsExactly("acquired", "FORCED");
    }

    @Test
    void noMoreThanSoManyHoldAtOneReplica() {
        for (var i = 0; i < KeepAliveSettings.CONNECTIONS_MAX; i++) {
            here.holds.hold(wish(Fixtures.aName(), NONE, NONE), NONE, new Client());
        }
        var client = new Client();

        hold(here, client, NONE, NONE);

        assertThat(client.heard).containsExactly("refused QueueFull");
        assertThat(await(store.find(name))).isEmpty();
    }

    private Hold hold(Replica replica, Client client, Optional<Duration> waitFor, Optional<Duration> maxHold) {
        return replica.holds.hold(wish(name, waitFor, maxHold), NONE, client);
    }

    /** Takes a few ticks, and then nothing for so long that it is taken for gone. */
    private void cutOff(Client client) {
        here.holds.hold(wish(name, NONE, NONE), Optional.of(Duration.ofSeconds(1)), client);
        pass(TICK.multipliedBy(3));
        client.taking = false;
        pass(TICK.multipliedBy(HoldTicks.STALLED_MAX));
    }

    private static AcquireCommand wishOf(Owner owner, LockName name) {
        return new AcquireCommand(name, owner, Optional.empty(), LeaseTerms.once(TTL), Labels.NONE);
    }

    private static AcquireCommand wish(LockName name, Optional<Duration> waitFor, Optional<Duration> maxHold) {
        var terms = new LeaseTerms(Optional.of(TTL), waitFor, maxHold);
        return new AcquireCommand(name, ADA, Optional.empty(), terms, Labels.NONE);
    }

    private static final class Client implements HoldClient {
        final List<String> heard = new ArrayList<>();
        boolean taking = true;
        int ticks;
        Lease told;

        @Override
        public void refused(Timestamped<AcquireOutcome> refusal) {
            heard.add("refused " + refusal.answer().getClass().getSimpleName());
        }

        @Override
        public void failed(Throwable cause) {
            heard.add("failed");
        }

        @Override
        public void acquired(Lease lease, Instant now) {
            heard.add("acquired");
            told = lease;
        }

        @Override
        public boolean tick(Lease lease, Instant now) {
            ticks++;
            told = taking ? lease : told;
            return taking;
        }

        @Override
        public void lost(LeaseLoss loss, Lease lease, Instant now) {
            heard.add(loss.cause().name());
        }

        @Override
        public void hangUp() {
            heard.add("hung up");
        }
    }
}

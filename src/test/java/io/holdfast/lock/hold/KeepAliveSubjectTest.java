package io.holdfast.lock.hold;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.SubjectFacts;
import io.holdfast.lock.port.SubjectFacts.Pair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heartbeats and holds by the subject of a lease, by another one, and without one. */
class KeepAliveSubjectTest extends Kept {
    private static final LockId ID = LockId.random();

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void onlyTheSameSubjectsHeartbeatIsHeardWhereTheLeaseIsRenewed(Pair pair) {
        acquired(here, pair.stored());

        assertThat(isHeard(here, pair.asking())).isEqualTo(pair.same());

        assertThat(store.finds).as("reads").isEqualTo(pair.same() ? 0 : 1);
        assertThat(here.counts.leases).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void onlyTheSameSubjectsHeartbeatMakesAnotherReplicaRenewTheLease(Pair pair) {
        acquired(here, pair.stored());
        var other = new Replica();

        assertThat(isHeard(other, pair.asking())).isEqualTo(pair.same());

        assertThat(other.counts.leases).isEqualTo(pair.same() ? 1 : 0);
        assertThat(renewals()).isEqualTo(pair.same() ? 1 : 0);
        assertThat(record().lease().owner()).isEqualTo(pair.same() ? pair.after() : pair.stored());
    }

    /** The silent holder's lease expires, although another subject sends heartbeats in its name. */
    @Test
    void heartbeatsOfAnotherSubjectKeepNoLease() {
        acquired(here, SubjectFacts.OF_A);

        for (var i = 0; i < 20; i++) {
            pass(TTL.dividedBy(10));
            isHeard(here, SubjectFacts.OF_B);
        }

        assertThat(status()).isEqualTo(LockStatus.EXPIRED);
    }

    /** After the first heartbeat, the lease is its own: at this replica as well as in the store. */
    @Test
    void aLeaseFromBeforeTheSwitchIsAdoptedByAHeartbeat() {
        acquired(here, SubjectFacts.OF_NONE);
        var restarted = new Replica();
        isHeard(restarted, SubjectFacts.OF_A);

        assertThat(isHeard(restarted, SubjectFacts.OF_B)).isFalse();
        assertThat(isHeard(restarted, SubjectFacts.OF_A)).isTrue();
        assertThat(isHeard(new Replica(), SubjectFacts.OF_B)).isFalse();
    }

    /** The same lock_id and owner string, one after the other: each lease has its own renewer. */
    @Test
    void aLaterLeaseOfAnotherSubjectWithTheSameLockIdIsRenewed() {
        acquired(here, SubjectFacts.OF_A);
        await(new Replica().locks.release(ref(SubjectFacts.OF_A)));
        acquired(here, SubjectFacts.OF_B);

        pass(TTL.multipliedBy(8).dividedBy(10));

        assertThat(isHeard(here, SubjectFacts.OF_A)).isFalse();
        assertThat(isHeard(here, SubjectFacts.OF_B)).isTrue();
        assertThat(renewals()).isEqualTo(1);
        assertThat(here.counts.leases).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void onlyTheSameSubjectContinuesAHold(Pair pair) {
        var first = new Client();
        here.holds.hold(command(pair.stored(), Optional.empty()), Optional.empty(), first);
        var token = record().token();
        var second = new Client();

        new Replica().holds.hold(command(pair.asking(), Optional.empty()), Optional.empty(), second);
        pass(TTL);

        assertThat(second.heard).isEqualTo(pair.same() ? List.of("acquired") : List.of("refused HeldByAnother"));
        assertThat(first.heard).isEqualTo(pair.same() ? List.of("acquired", "SUPERSEDED") : List.of("acquired"));
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
        assertThat(record().token()).isEqualTo(token);
        assertThat(record().lease().owner()).isEqualTo(pair.same() ? pair.after() : pair.stored());
    }

    @Test
    void aHoldOfAnotherSubjectAtTheSameReplicaSupersedesNothing() {
        var first = new Client();
        here.holds.hold(command(SubjectFacts.OF_A, Optional.empty()), Optional.empty(), first);
        var second = new Client();

        here.holds
                .hold(command(SubjectFacts.OF_B, Optional.empty()), Optional.empty(), second)
                .close();
        pass(TTL.multipliedBy(3));

        assertThat(first.heard).containsExactly("acquired");
        assertThat(second.heard).containsExactly("refused HeldByAnother");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void anotherSubjectThatKnowsOwnerAndLockIdCannotEndAHold() {
        var client = new Client();
        here.holds.hold(command(SubjectFacts.OF_A, Optional.empty()), Optional.empty(), client);
        var stranger = ref(SubjectFacts.OF_B);

        assertThat(await(here.locks.release(stranger)).answer()).isInstanceOf(ReleaseOutcome.HeldByAnother.class);
        assertThat(await(here.locks.renew(stranger, Optional.empty())).answer())
                .isInstanceOf(RenewOutcome.NotHeld.class);
        assertThat(await(here.locks.forceRelease(
                                name, record().token(), "mine now", Optional.empty(), SubjectFacts.OF_B.subject()))
                        .answer())
                .isInstanceOf(ForceReleaseOutcome.BelongsToAnother.class);
        pass(TTL);

        assertThat(client.heard).containsExactly("acquired");
        assertThat(status()).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    void aSubjectForcesItsOwnHold() {
        var client = new Client();
        here.holds.hold(command(SubjectFacts.OF_A, Optional.empty()), Optional.empty(), client);

        await(here.locks.forceRelease(
                name, record().token(), "it hangs", Optional.empty(), SubjectFacts.OF_A.subject()));

        assertThat(client.heard).containsExactly("acquired", "FORCED");
        assertThat(status()).isEqualTo(LockStatus.RELEASED);
    }

    private void acquired(Replica replica, Owner owner) {
        var at = await(replica.renewals.acquire(command(owner, Optional.of(Duration.ofHours(1)))));
        assertThat(at.answer()).isInstanceOf(AcquireOutcome.Granted.class);
    }

    private boolean isHeard(Replica replica, Owner owner) {
        return await(replica.renewals.heartbeat(ref(owner))).answer() instanceof HeartbeatOutcome.Heard;
    }

    private LeaseRef ref(Owner owner) {
        return new LeaseRef(name, ID, owner);
    }

    private AcquireCommand command(Owner owner, Optional<Duration> maxHold) {
        var terms = new LeaseTerms(Optional.of(TTL), Optional.empty(), maxHold);
        return new AcquireCommand(name, owner, Optional.of(ID), terms, Labels.NONE);
    }

    private static final class Client implements HoldClient {
        final List<String> heard = new ArrayList<>();

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
        }

        @Override
        public boolean tick(Lease lease, Instant now) {
            return true;
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

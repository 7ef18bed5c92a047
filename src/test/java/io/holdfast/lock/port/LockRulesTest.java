package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rule function by itself, at its edges. That every store obeys it is {@link LockStoreContract}'s to show. */
class LockRulesTest {
    private static final LockName NAME = new LockName("terraform-prod");
    private static final Duration TICK = Duration.ofMillis(1);
    private static final Instant EXPIRY = NOON.plus(TTL);

    private final AcquireRequest adas = wants(ADA, NAME);
    private final LockRecord held =
            RULES.acquire(Optional.empty(), adas, NOON).write().orElseThrow();

    @Test
    void aLockWithoutARecordIsFreeAndItsTokenStartsAboveTheTimeInMicroseconds() {
        assertThat(held.token().value()).isEqualTo(FencingToken.epochMicros(NOON) + 1);
        assertThat(held.lease().token()).isEqualTo(held.token());
        assertThat(held.lease().expiresAt()).isEqualTo(EXPIRY);
    }

    @Test
    void anExpiredLeaseIsTakenOverOnlyOnceTheSkewHasPassedToo() {
        var bobs = wants(BOB, NAME);

        var atTheGuard = RULES.acquire(Optional.of(held), bobs, EXPIRY.plus(SKEW));
        var behindTheGuard =
                RULES.acquire(Optional.of(held), bobs, EXPIRY.plus(SKEW).plus(TICK));

        assertThat(atTheGuard.outcome()).isEqualTo(new AcquireOutcome.HeldByAnother(held.lease()));
        assertThat(atTheGuard.write()).isEmpty();
        assertThat(behindTheGuard.outcome()).isInstanceOfSatisfying(AcquireOutcome.Granted.class, granted -> {
            assertThat(granted.takenOver()).contains(held.lease());
            assertThat(granted.lease().token()).isEqualTo(held.token().next());
        });
    }

    @Test
    void withoutTakeoversAnExpiredLeaseStaysItsHolders() {
        var muchLater = EXPIRY.plus(Duration.ofDays(1));

        var decision = RULES.withoutTakeovers().acquire(Optional.of(held), wants(BOB, NAME), muchLater);

        assertThat(decision.outcome()).isEqualTo(new AcquireOutcome.HeldByAnother(held.lease()));
    }

    @Test
    void theOwnerGetsItsLeaseBackUntilItExpiresAndANewOneFromThenOn() {
        var again = wants(ADA, NAME);

        var before = RULES.acquire(Optional.of(held), again, EXPIRY.minus(TICK));
        var after = RULES.acquire(Optional.of(held), again, EXPIRY);

        assertThat(before.outcome()).isEqualTo(new AcquireOutcome.AlreadyHeld(held.lease()));
        assertThat(before.write()).contains(held.movedTo(again.attempt()));
        assertThat(after.outcome()).isInstanceOfSatisfying(AcquireOutcome.Granted.class, granted -> assertThat(
                        granted.lease().token())
                .isEqualTo(held.token().next()));
    }

    @Test
    void aReleasedLockIsFreeAtOnceEvenForAClockThatRunsBehind() {
        var released = RULES.release(Optional.of(held), LeaseClaim.of(adas.ref()), NOON.plusSeconds(5))
                .write();

        var decision = RULES.acquire(released, wants(BOB, NAME), NOON.plusSeconds(4));

        assertThat(decision.outcome()).isInstanceOf(AcquireOutcome.Granted.class);
    }

    @Test
    void aRenewalNeedsTheVeryLeaseAndAnUnexpiredOne() {
        var otherId = new LeaseRef(NAME, LockId.random(), ADA);
        var otherOwner = new LeaseRef(NAME, adas.id(), BOB);
        var released = RULES.release(Optional.of(held), LeaseClaim.of(adas.ref()), NOON)
                .write();

        assertThat(renew(Optional.of(held), adas.ref(), EXPIRY.minus(TICK))).isInstanceOf(RenewOutcome.Renewed.class);
        assertThat(renew(Optional.of(held), adas.ref(), EXPIRY)).isEqualTo(notHeldByAnybody(Optional.of(held)));
        assertThat(renew(Optional.of(held), otherId, NOON)).isEqualTo(notHeldBut(held.lease()));
        assertThat(renew(Optional.of(held), otherOwner, NOON)).isEqualTo(notHeldBut(held.lease()));
        assertThat(renew(released, adas.ref(), NOON)).isEqualTo(notHeldByAnybody(released));
        assertThat(renew(Optional.empty(), adas.ref(), NOON)).isEqualTo(notHeldByAnybody(Optional.empty()));
    }

    @Test
    void aRenewalCountsFromNowAndKeepsTheToken() {
        var renewed = RULES.renew(
                        Optional.of(held),
                        LeaseClaim.of(adas.ref()),
                        Renewal.by(Optional.of(Duration.ofMinutes(5))),
                        NOON.plusSeconds(9))
                .write()
                .orElseThrow();

        assertThat(renewed.token()).isEqualTo(held.token());
        assertThat(renewed.lease().term())
                .isEqualTo(new Lease.Term(NOON, NOON.plusSeconds(309), Duration.ofMinutes(5), 1));
    }

    @Test
    void aRenewalByAClockThatIsBehindLeavesATraceAndTheEndAsItWas() {
        var decision = RULES.renew(
                Optional.of(held),
                LeaseClaim.of(adas.ref()),
                Renewal.by(Optional.of(Duration.ofMinutes(5))),
                NOON.minus(TICK));

        var renewed = decision.write().orElseThrow().lease();
        assertThat(renewed.term()).isEqualTo(new Lease.Term(NOON, EXPIRY, TTL, 1));
        assertThat(decision.outcome()).isEqualTo(new RenewOutcome.Renewed(renewed));
    }

    @Test
    void aReleaseNamesTheVeryLeaseAndWorksForItsHolderEvenLate() {
        var otherId = new LeaseRef(NAME, LockId.random(), ADA);
        var otherOwner = new LeaseRef(NAME, adas.id(), BOB);

        assertThat(release(otherId, NOON)).isEqualTo(new ReleaseOutcome.HeldByAnother(held.lease()));
        assertThat(release(otherOwner, NOON)).isEqualTo(new ReleaseOutcome.HeldByAnother(held.lease()));
        assertThat(release(otherOwner, EXPIRY)).isEqualTo(new ReleaseOutcome.AlreadyGone());
        assertThat(release(adas.ref(), EXPIRY.plusSeconds(9))).isEqualTo(new ReleaseOutcome.Released(held.lease()));
    }

    @Test
    void aForceReleaseRaisesTheTokenAndClosesTheLockForItsDelay() {
        var delay = Duration.ofSeconds(10);
        var decision = RULES.forceRelease(Optional.of(held), force(NAME, held.token(), delay), NOON);
        var forced = decision.write().orElseThrow();

        assertThat(decision.outcome())
                .isEqualTo(new ForceReleaseOutcome.Freed(
                        Optional.of(held.lease()), held.token().next()));
        assertThat(forced.statusAt(NOON)).isEqualTo(LockStatus.RELEASING);
        assertThat(forced.statusAt(NOON.plus(delay))).isEqualTo(LockStatus.RELEASED);
        assertThat(RULES.acquire(Optional.of(forced), adas, NOON.plus(delay).minus(TICK))
                        .outcome())
                .isEqualTo(new AcquireOutcome.ClosedUntil(forced, NOON.plus(delay)));
        assertThat(RULES.acquire(Optional.of(forced), adas, NOON.plus(delay)).outcome())
                .isInstanceOf(AcquireOutcome.Granted.class);
    }

    @Test
    void aForceReleaseWithAnotherTokenOrOfAFreeLockChangesNothing() {
        var released = RULES.release(Optional.of(held), LeaseClaim.of(adas.ref()), NOON)
                .write()
                .orElseThrow();

        var stale =
                RULES.forceRelease(Optional.of(held), force(NAME, held.token().next()), NOON);
        var free = RULES.forceRelease(Optional.of(released), force(NAME, held.token()), NOON);
        var absent = RULES.forceRelease(Optional.empty(), force(NAME, held.token()), NOON);

        assertThat(stale).isEqualTo(LockRules.Decision.refuse(new ForceReleaseOutcome.TokenChanged(held)));
        assertThat(free).isEqualTo(LockRules.Decision.refuse(new ForceReleaseOutcome.AlreadyFree(released)));
        assertThat(absent).isEqualTo(LockRules.Decision.refuse(new ForceReleaseOutcome.NoSuchLock()));
    }

    @Test
    void aRecordIsExpendableOnlyOnceItsRetentionHasPassed() {
        var released = RULES.release(Optional.of(held), LeaseClaim.of(adas.ref()), NOON)
                .write()
                .orElseThrow();
        var forced = RULES.forceRelease(Optional.of(held), force(NAME, held.token(), TTL), NOON)
                .write()
                .orElseThrow();

        assertThat(RULES.expendable(held, EXPIRY.plus(RETENTION))).isFalse();
        assertThat(RULES.expendable(held, EXPIRY.plus(RETENTION).plus(TICK))).isTrue();
        assertThat(RULES.expendable(released, NOON.plus(RETENTION))).isFalse();
        assertThat(RULES.expendable(released, NOON.plus(RETENTION).plus(TICK))).isTrue();
        assertThat(RULES.expendable(forced, NOON.plus(TTL).plus(RETENTION))).isFalse();
        assertThat(RULES.expendable(forced, NOON.plus(TTL).plus(RETENTION).plus(TICK)))
                .isTrue();
    }

    /** Its clock may be ahead: by the others' clocks the lease lasts, and a second token would end it for its holder. */
    @Test
    void byAClockThatIsKnownToBeWrongTheOwnersLeaseHasNotExpired() {
        var again = wants(ADA, NAME);
        var suspect = RULES.withoutTakeovers();
        var late = EXPIRY.plusSeconds(60);

        assertThat(suspect.acquire(Optional.of(held), again, late).outcome())
                .isEqualTo(new AcquireOutcome.AlreadyHeld(held.lease()));
        assertThat(suspect.renew(Optional.of(held), LeaseClaim.of(adas.ref()), Renewal.by(Optional.empty()), late)
                        .outcome())
                .isInstanceOf(RenewOutcome.Renewed.class);
    }

    @Test
    void tokensStartAboveTheFloor() {
        var floor = FencingToken.firstAt(NOON.plusSeconds(3600));

        var granted = RULES.withTokensAbove(floor.value()).acquire(Optional.empty(), wants(ADA, NAME), NOON);

        assertThat(granted.write().orElseThrow().token()).isEqualTo(floor.next());
    }

    private RenewOutcome renew(Optional<LockRecord> current, LeaseRef ref, Instant now) {
        return RULES.renew(current, LeaseClaim.of(ref), Renewal.by(Optional.empty()), now)
                .outcome();
    }

    private ReleaseOutcome release(LeaseRef ref, Instant now) {
        return RULES.release(Optional.of(held), LeaseClaim.of(ref), now).outcome();
    }

    private static RenewOutcome notHeldByAnybody(Optional<LockRecord> ended) {
        return new RenewOutcome.NotHeld(Optional.empty(), ended);
    }

    private static RenewOutcome notHeldBut(Lease holder) {
        return new RenewOutcome.NotHeld(Optional.of(holder), Optional.empty());
    }
}

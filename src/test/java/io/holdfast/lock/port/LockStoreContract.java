package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.labelled;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.wants;
import static io.holdfast.lock.port.Fixtures.withoutAttempts;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Cursor;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every lock store must do. Time is an argument, so nothing here waits for it to pass. */
public abstract class LockStoreContract implements WaitQueueFacts, SubjectFacts, StatisticsFacts {
    /** A store with {@link Fixtures#RULES}. May be shared between tests: each uses names of its own. */
    protected abstract LockStore store();

    @Override
    public LockStore locks() {
        return store();
    }

    /** How many times over the racing tests run; a slow back end may do fewer. */
    protected abstract int rounds();

    // Refusals first.

    @Test
    void anotherOwnerIsRefusedAndLearnsWhoHoldsIt() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        var outcome = await(store().acquire(wants(BOB, name), NOON.plusSeconds(1)));

        assertThat(outcome).isEqualTo(new AcquireOutcome.HeldByAnother(held));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(held));
    }

    @Test
    void anExpiredLeaseIsNotTakenOverWithinTheClockSkew() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        var outcome = await(store().acquire(wants(BOB, name), NOON.plus(TTL).plus(SKEW)));

        assertThat(outcome).isEqualTo(new AcquireOutcome.HeldByAnother(held));
    }

    @Test
    void anExpiredHolderCannotRenew() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        var outcome = await(store().renew(held.ref(), Optional.empty(), NOON.plus(TTL)));

        assertThat(outcome).isEqualTo(new RenewOutcome.NotHeld(Optional.empty(), Optional.of(record(name))));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(held));
    }

    @Test
    void anExpiredHolderCannotRenewTheNextHoldersLock() {
        var name = aName();
        var old = grant(wants(ADA, name), NOON);
        var next = grant(wants(BOB, name), afterTakeover(NOON));

        var outcome = await(store().renew(old.ref(), Optional.of(TTL), afterTakeover(NOON)));

        assertThat(outcome).isEqualTo(new RenewOutcome.NotHeld(Optional.of(next), Optional.empty()));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(next));
    }

    @Test
    void anExpiredHolderCannotReleaseTheNextHoldersLock() {
        var name = aName();
        var old = grant(wants(ADA, name), NOON);
        var next = grant(wants(BOB, name), afterTakeover(NOON));

        var outcome = await(store().release(old.ref(), afterTakeover(NOON)));

        assertThat(outcome).isEqualTo(new ReleaseOutcome.HeldByAnother(next));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(next));
    }

    @Test
    void anEarlierLeaseOfTheSameOwnerCannotTouchTheLaterOne() {
        var name = aName();
        var old = grant(wants(ADA, name), NOON);
        var next = grant(wants(ADA, name), NOON.plus(TTL));

        assertThat(await(store().renew(old.ref(), Optional.empty(), NOON.plus(TTL))))
                .isEqualTo(new RenewOutcome.NotHeld(Optional.of(next), Optional.empty()));
        assertThat(await(store().release(old.ref(), NOON.plus(TTL)))).isEqualTo(new ReleaseOutcome.HeldByAnother(next));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(next));
    }

    @Test
    void theRightLockIdWithTheWrongOwnerIsNobody() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);
        var forged = new LeaseRef(name, held.id(), BOB);

        assertThat(await(store().renew(forged, Optional.empty(), NOON)))
                .isEqualTo(new RenewOutcome.NotHeld(Optional.of(held), Optional.empty()));
        assertThat(await(store().release(forged, NOON))).isEqualTo(new ReleaseOutcome.HeldByAnother(held));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(held));
    }

    @Test
    void aReleasedLeaseCannotBeRenewed() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);
        await(store().release(held.ref(), NOON));

        var outcome = await(store().renew(held.ref(), Optional.empty(), NOON));

        assertThat(outcome).isEqualTo(new RenewOutcome.NotHeld(Optional.empty(), Optional.of(record(name))));
        assertThat(record(name).statusAt(NOON)).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    void aForceReleaseWithAStaleTokenChangesNothing() {
        var name = aName();
        var old = grant(wants(ADA, name), NOON);
        var next = grant(wants(BOB, name), afterTakeover(NOON));

        var outcome = await(store().forceRelease(force(name, old.token()), afterTakeover(NOON)));

        assertThat(outcome).isInstanceOfSatisfying(ForceReleaseOutcome.TokenChanged.class, changed -> assertThat(
                        withoutAttempts(changed.current()))
                .isEqualTo(LockRecord.held(next)));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(next));
    }

    @Test
    void aForceReleaseOfAFreeLockChangesNothing() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);
        await(store().release(held.ref(), NOON));
        var released = record(name);

        var outcome = await(store().forceRelease(force(name, held.token()), NOON));

        assertThat(outcome).isEqualTo(new ForceReleaseOutcome.AlreadyFree(released));
        assertThat(record(name)).isEqualTo(released);
    }

    @Test
    void aForceReleaseOfAnUnknownLockMakesNoRecord() {
        var name = aName();

        var outcome = await(store().forceRelease(force(name, new FencingToken(7)), NOON));

        assertThat(outcome).isEqualTo(new ForceReleaseOutcome.NoSuchLock());
        assertThat(await(store().find(name))).isEmpty();
    }

    @Test
    void renewingAndReleasingAnUnknownLockMakesNoRecord() {
        var nobodys = new LeaseRef(aName(), LockId.random(), ADA);

        assertThat(await(store().renew(nobodys, Optional.empty(), NOON)))
                .isEqualTo(new RenewOutcome.NotHeld(Optional.empty(), Optional.empty()));
        assertThat(await(store().release(nobodys, NOON))).isEqualTo(new ReleaseOutcome.AlreadyGone());
        assertThat(await(store().find(nobodys.name()))).isEmpty();
    }

    @Test
    void nobodyGetsALockWithinItsLockDelay() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);
        await(store().forceRelease(force(name, held.token(), Duration.ofSeconds(10)), NOON));
        var closed = record(name);

        var bobs = await(store().acquire(wants(BOB, name), NOON.plusMillis(9_999)));
        var adas = await(store().acquire(wants(ADA, name), NOON.plusMillis(9_999)));

        assertThat(bobs).isEqualTo(new AcquireOutcome.ClosedUntil(closed, NOON.plusSeconds(10)));
        assertThat(adas).isEqualTo(new AcquireOutcome.ClosedUntil(closed, NOON.plusSeconds(10)));
        assertThat(grant(wants(BOB, name), NOON.plusSeconds(10)).token())
                .isEqualTo(held.token().next().next());
    }

    /** An attempt that its sender gave up on lands at last, after the lock was granted, used and released. */
    @Test
    void anAcquireFromBeforeTheReleaseDoesNotTakeTheLockAgain() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON.plusSeconds(2));
        await(store().release(held.ref(), NOON.plusSeconds(5)));
        var released = record(name);

        var late = await(store().acquire(
                        wants(BOB, name), NOON.plusSeconds(5).minus(SKEW).minusMillis(1)));

        assertThat(late)
                .isEqualTo(new AcquireOutcome.ClosedUntil(
                        released, NOON.plusSeconds(5).minus(SKEW)));
        assertThat(record(name)).isEqualTo(released);
    }

    @Test
    void aClockThatWasSetBackDoesNotCloseTheLocksReleasedBefore() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);
        await(store().release(held.ref(), NOON));

        var next = grant(wants(BOB, name), NOON.minus(LockRules.LATE_MAX).minusMillis(1));

        assertThat(next.token()).isEqualTo(held.token().next());
    }

    /** A renewal that its sender gave up on lands at last, after a newer one. */
    @Test
    void aLateRenewalTakesNothingBackFromANewerOne() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);
        await(store().renew(held.ref(), Optional.empty(), NOON.plusSeconds(20)));

        var late = await(store().renew(held.ref(), Optional.empty(), NOON.plusSeconds(10)));

        assertThat(late).isEqualTo(new RenewOutcome.Renewed(record(name).lease()));
        assertThat(record(name).lease().expiresAt())
                .isEqualTo(NOON.plusSeconds(20).plus(TTL));
    }

    // What is granted.

    @Test
    void aFreshLockIsGrantedWithEverythingThatWasAsked() {
        var request = labelled(ADA, aName());

        var lease = grant(request, NOON);

        assertThat(lease).isEqualTo(request.leaseAt(NOON, lease.token()));
        assertThat(lease.token()).isGreaterThanOrEqualTo(FencingToken.firstAt(NOON));
        assertThat(withoutAttempts(record(request.name()))).isEqualTo(LockRecord.held(lease));
    }

    @Test
    void theSameOwnerGetsTheSameLeaseBackAndNoSecondToken() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        var again = await(store().acquire(
                        wants(ADA, name, Duration.ofHours(1)), NOON.plus(TTL).minusMillis(1)));

        assertThat(again).isEqualTo(new AcquireOutcome.AlreadyHeld(held));
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(held));
    }

    @Test
    void theSameRequestSentTwiceIsGrantedOnce() {
        var request = wants(ADA, aName());
        var held = grant(request, NOON);

        assertThat(await(store().acquire(request, NOON.plusSeconds(2))))
                .as("the store is asked again for the same attempt")
                .isEqualTo(new AcquireOutcome.Granted(held, Optional.empty()));
        assertThat(await(store().acquire(AcquireRequest.once(request.ref(), TTL, Labels.NONE), NOON.plusSeconds(2))))
                .as("the caller asks again")
                .isEqualTo(new AcquireOutcome.AlreadyHeld(held));
    }

    @Test
    void anOwnerWhoseLeaseRanOutGetsANewOneAtOnce() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        var again = grant(wants(ADA, name), NOON.plus(TTL));

        assertThat(again.token()).isEqualTo(held.token().next());
        assertThat(again.id()).isNotEqualTo(held.id());
    }

    @Test
    void aTakeoverSaysWhoseExpiredLeaseItReplaces() {
        var name = aName();
        var old = grant(labelled(ADA, name), NOON);
        var request = wants(BOB, name);

        var outcome = await(store().acquire(request, afterTakeover(NOON)));

        var expected = request.leaseAt(afterTakeover(NOON), old.token().next());
        assertThat(outcome).isInstanceOfSatisfying(AcquireOutcome.Granted.class, granted -> {
            assertThat(granted.lease()).isEqualTo(expected);
            assertThat(granted.replaced().map(Fixtures::withoutAttempts)).contains(LockRecord.held(old));
        });
        assertThat(withoutAttempts(record(name))).isEqualTo(LockRecord.held(expected));
    }

    @Test
    void aRenewalLastsAsLongAsTheLeaseBeforeUnlessToldOtherwise() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        var same = await(store().renew(held.ref(), Optional.empty(), NOON.plusSeconds(10)));
        var longer = await(store().renew(held.ref(), Optional.of(Duration.ofHours(2)), NOON.plusSeconds(20)));
        var sameAgain = await(store().renew(held.ref(), Optional.empty(), NOON.plusSeconds(30)));

        assertThat(same).isEqualTo(renewed(held, NOON.plusSeconds(10), TTL, 1));
        assertThat(longer).isEqualTo(renewed(held, NOON.plusSeconds(20), Duration.ofHours(2), 2));
        assertThat(sameAgain).isEqualTo(renewed(held, NOON.plusSeconds(30), Duration.ofHours(2), 3));
    }

    @Test
    void aReleasedLockIsFreeAtOnceEvenForAReplicaWhoseClockIsBehind() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        var released = await(store().release(held.ref(), NOON.plusSeconds(5)));
        var next = grant(wants(BOB, name), NOON.plusSeconds(4));

        assertThat(released).isEqualTo(new ReleaseOutcome.Released(held));
        assertThat(next.token()).isEqualTo(held.token().next());
    }

    @Test
    void releasingTwiceIsFineAndSaysSo() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        assertThat(await(store().release(held.ref(), NOON))).isEqualTo(new ReleaseOutcome.Released(held));
        assertThat(await(store().release(held.ref(), NOON))).isEqualTo(new ReleaseOutcome.AlreadyGone());
    }

    @Test
    void anExpiredHolderMayStillGiveBackWhatNobodyTook() {
        var name = aName();
        var held = grant(wants(ADA, name), NOON);

        assertThat(await(store().release(held.ref(), NOON.plus(TTL)))).isEqualTo(new ReleaseOutcome.Released(held));
        assertThat(grant(wants(BOB, name), NOON.plus(TTL)).token())
                .isEqualTo(held.token().next());
    }

    @Test
    void aForceReleaseFreesTheLockAndKeepsItsReason() {
        var name = aName();
        var held = grant(labelled(ADA, name), NOON);

        var outcome = await(store().forceRelease(force(name, held.token()), NOON.plusSeconds(3)));

        assertThat(outcome)
                .isEqualTo(new ForceReleaseOutcome.Freed(
                        Optional.of(held), held.token().next()));
        assertThat(withoutAttempts(record(name)))
                .isEqualTo(new LockRecord(
                        held,
                        held.token().next(),
                        Optional.of(new LockRecord.End(
                                NOON.plusSeconds(3), Optional.empty(), Optional.of("the holder is gone")))));
    }

    // Tokens.

    @Test
    void tokensStrictlyRiseAcrossReleaseExpiryForceReleaseAndPurge() {
        var name = aName();
        var tokens = new ArrayList<FencingToken>();
        var now = NOON;
        for (var round = 0; round < 5; round++) {
            var released = grant(wants(ADA, name), now);
            await(store().release(released.ref(), now));
            var expired = grant(wants(BOB, name), now);
            now = afterTakeover(now);
            var forced = grant(wants(ADA, name), now);
            var freed = await(store().forceRelease(force(name, forced.token()), now));
            tokens.addAll(List.of(released.token(), expired.token(), forced.token(), tokenOf(freed)));
            now = now.plus(RETENTION).plusMillis(1);
            sweepAll(now);
            assertThat(await(store().find(name))).isEmpty();
        }

        assertThat(tokens).hasSize(20).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aPurgedLockIsBornAgainAboveEveryTokenItEverHad() {
        var name = aName();
        var now = NOON;
        var last = grant(wants(ADA, name), now);
        for (var hand = 0; hand < 50; hand++) {
            await(store().release(last.ref(), now));
            last = grant(wants(hand % 2 == 0 ? BOB : ADA, name), now);
        }
        now = now.plus(TTL).plus(RETENTION).plusMillis(1);
        sweepAll(now);

        assertThat(await(store().find(name))).isEmpty();
        assertThat(grant(wants(ADA, name), now).token()).isGreaterThan(last.token());
    }

    // Sweeping.

    @Test
    void theSweeperLeavesEveryRecordWithinItsRetention() {
        var active = grant(wants(ADA, aName(), RETENTION.multipliedBy(2)), NOON);
        var expired = grant(wants(ADA, aName()), NOON);
        var released = grant(wants(ADA, aName()), NOON);
        await(store().release(released.ref(), NOON));

        sweepAll(NOON.plus(RETENTION));

        assertThat(List.of(active, expired, released)).allSatisfy(lease -> assertThat(await(store().find(lease.name())))
                .isPresent());
    }

    @Test
    void theSweeperLooksAtNoMoreThanItsStepAndGetsRoundInTheEnd() {
        var names = IntStream.range(0, 25).mapToObj(i -> aName()).toList();
        names.forEach(
                name -> await(store().release(grant(wants(ADA, name), NOON).ref(), NOON)));
        var now = NOON.plus(RETENTION).plusSeconds(1);

        var first = await(store().sweep(Optional.empty(), steps(10), now));
        sweepAll(now);

        assertThat(first.purged()).isLessThanOrEqualTo(10);
        assertThat(first.next()).isPresent();
        assertThat(names)
                .allSatisfy(name -> assertThat(await(store().find(name))).isEmpty());
    }

    // Listing.

    @Test
    void aListingFiltersByStatusPrefixOwnerAndType() {
        var prefix = aName().value();
        var active = grant(wants(ADA, new LockName(prefix + "/active")), NOON.plusSeconds(60));
        var expired = grant(wants(ADA, new LockName(prefix + "/expired")), NOON);
        var released = grant(wants(BOB, new LockName(prefix + "/released")), NOON);
        await(store().release(released.ref(), NOON));
        var forced = grant(labelled(BOB, new LockName(prefix + "/forced")), NOON);
        await(store().forceRelease(force(forced.name(), forced.token(), Duration.ofHours(1)), NOON));

        assertThat(list(prefix, Optional.of(LockStatus.ACTIVE))).containsExactly(active.name());
        assertThat(list(prefix, Optional.of(LockStatus.EXPIRED))).containsExactly(expired.name());
        assertThat(list(prefix, Optional.of(LockStatus.RELEASED)))
                .containsExactlyInAnyOrder(released.name(), forced.name());
        assertThat(list(prefix, Optional.empty())).hasSize(4);
        assertThat(listAll(filter(prefix, Optional.empty(), Optional.of(BOB), Optional.empty()), 100, 100))
                .containsExactlyInAnyOrder(released.name(), forced.name());
        assertThat(listAll(filter(prefix, Optional.empty(), Optional.empty(), Optional.of(LockType.CLUSTER)), 100, 100))
                .containsExactly(forced.name());
    }

    @Test
    void pagesGoOnWhereTheyEndedWhateverChangesBehindThem() {
        var prefix = aName().value();
        var names = IntStream.range(0, 23)
                .mapToObj(i -> new LockName(prefix + "/" + i))
                .toList();
        names.forEach(name -> grant(wants(ADA, name), NOON));
        var filter = filter(prefix, Optional.empty(), Optional.empty(), Optional.empty());

        var seen = new ArrayList<LockName>();
        var cursor = Optional.<Cursor>empty();
        do {
            var page = await(store().list(new LockQuery(filter, new LockQuery.Bounds(5, 1000), cursor), NOON));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(5);
            page.items().forEach(record -> {
                seen.add(record.name());
                await(store().release(record.lease().ref(), NOON));
            });
            cursor = page.next();
        } while (cursor.isPresent());

        assertThat(seen).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void aPageIsBoundedByWhatWasLookedAtToo() {
        var prefix = aName().value();
        for (var i = 0; i < 12; i++) {
            grant(wants(ADA, new LockName(prefix + "/" + i)), NOON);
        }
        var nobodys = filter(prefix, Optional.empty(), Optional.of(BOB), Optional.empty());

        var page = await(store().list(new LockQuery(nobodys, new LockQuery.Bounds(5, 5), Optional.empty()), NOON));

        assertThat(page.items()).isEmpty();
        assertThat(page.next()).isPresent();
        assertThat(listAll(nobodys, 5, 5)).isEmpty();
    }

    // Races.

    @Test
    void ofTwoHundredAcquirersExactlyOneWins() {
        for (var round = 0; round < rounds(); round++) {
            var name = aName();
            var racers = IntStream.range(0, 200)
                    .<Uni<AcquireOutcome>>mapToObj(i -> store().acquire(wants(new Owner("racer-" + i), name), NOON))
                    .toList();

            var outcomes = await(Uni.join().all(racers).andFailFast());

            assertThat(outcomes)
                    .filteredOn(AcquireOutcome.Granted.class::isInstance)
                    .hasSize(1);
            assertThat(outcomes)
                    .filteredOn(AcquireOutcome.HeldByAnother.class::isInstance)
                    .hasSize(199)
                    .containsOnly(new AcquireOutcome.HeldByAnother(record(name).lease()));
        }
    }

    @Test
    void ofTwoHundredThatTakeOverAnExpiredLeaseExactlyOneWins() {
        for (var round = 0; round < rounds(); round++) {
            var name = aName();
            var old = grant(wants(ADA, name), NOON);
            var racers = IntStream.range(0, 200)
                    .<Uni<AcquireOutcome>>mapToObj(
                            i -> store().acquire(wants(new Owner("racer-" + i), name), afterTakeover(NOON)))
                    .toList();

            var outcomes = await(Uni.join().all(racers).andFailFast());

            assertThat(outcomes)
                    .filteredOn(AcquireOutcome.Granted.class::isInstance)
                    .singleElement()
                    .extracting(granted ->
                            ((AcquireOutcome.Granted) granted).lease().token())
                    .isEqualTo(old.token().next());
        }
    }

    @Test
    void aRenewalRacingATakeoverNeverLeavesTwoHolders() {
        for (var round = 0; round < rounds() * 5; round++) {
            var name = aName();
            var old = grant(wants(ADA, name), NOON);
            var lastMoment = NOON.plus(TTL).minusMillis(1);

            var both = await(Uni.combine()
                    .all()
                    .unis(
                            store().renew(old.ref(), Optional.empty(), lastMoment),
                            store().acquire(wants(BOB, name), afterTakeover(NOON)))
                    .asTuple());

            var renewed = both.getItem1() instanceof RenewOutcome.Renewed;
            var takenOver = both.getItem2() instanceof AcquireOutcome.Granted;
            assertThat(renewed ^ takenOver).isTrue();
        }
    }

    /** Three replicas whose clocks lie up to the whole skew apart, judged by the one true time. */
    @Test
    void clocksSkewedWithinTheGuardNeverYieldTwoHolders() {
        var seed = 20260301L;
        var random = new Random(seed);
        var offsets = List.of(Duration.ZERO, SKEW.dividedBy(2), SKEW);
        var owners = List.of(ADA, BOB, new Owner("eve"));
        var name = aName();
        var truth = NOON;
        var mayWorkUntil = new HashMap<Owner, Instant>();
        for (var step = 0; step < rounds() * 40; step++) {
            truth = truth.plusMillis(random.nextInt(900));
            var owner = owners.get(random.nextInt(owners.size()));
            var now = truth.plus(offsets.get(random.nextInt(offsets.size())));
            var ttl = Duration.ofMillis(1000 + random.nextInt(1000));
            if (await(store().acquire(wants(owner, name, ttl), now)) instanceof AcquireOutcome.Granted) {
                assertThat(workingAt(truth, mayWorkUntil, owner))
                        .as("seed %d step %d", seed, step)
                        .isEmpty();
                mayWorkUntil.put(owner, truth.plus(ttl));
            }
        }
        assertThat(mayWorkUntil).hasSize(owners.size());
    }

    private static Set<Owner> workingAt(Instant truth, Map<Owner, Instant> mayWorkUntil, Owner except) {
        var working = new HashSet<Owner>();
        mayWorkUntil.forEach((owner, until) -> {
            if (!owner.equals(except) && truth.isBefore(until)) {
                working.add(owner);
            }
        });
        return working;
    }

    // Words.

    private Lease grant(AcquireRequest request, Instant now) {
        var outcome = await(store().acquire(request, now));
        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        return ((AcquireOutcome.Granted) outcome).lease();
    }

    // Tokens, whatever clocks have done.

    /** A clock thirty days ahead granted it first. Purged by a right clock, it would be born again with a lower token. */
    @Test
    void aRecordWhoseTokenLiesAheadOfTheTimeIsKeptUntilTheTimeHasPassedIt() {
        var ahead = NOON.plus(Duration.ofDays(30));
        var name = aName();
        var wild = grant(wants(ADA, name), ahead);
        await(store().release(wild.ref(), NOON));
        var right = grant(wants(BOB, name), NOON);
        await(store().release(right.ref(), NOON));

        sweepAll(NOON.plus(RETENTION).plusSeconds(60));
        var next = grant(wants(ADA, name), NOON.plus(RETENTION).plusSeconds(61));
        await(store().release(next.ref(), NOON.plus(RETENTION).plusSeconds(62)));

        assertThat(next.token()).isGreaterThan(right.token());
    }

    private LockRecord record(LockName name) {
        return await(store().find(name)).orElseThrow();
    }

    private static FencingToken tokenOf(ForceReleaseOutcome outcome) {
        return ((ForceReleaseOutcome.Freed) outcome).token();
    }

    private static Instant afterTakeover(Instant acquiredAt) {
        return acquiredAt.plus(TTL).plus(SKEW).plusMillis(1);
    }

    private static RenewOutcome renewed(Lease lease, Instant now, Duration ttl, long renewals) {
        var term = new Lease.Term(lease.term().acquiredAt(), now.plus(ttl), ttl, renewals);
        return new RenewOutcome.Renewed(
                new Lease(lease.name(), lease.id(), lease.owner(), lease.token(), term, lease.labels()));
    }

    private void sweepAll(Instant now) {
        var cursor = Optional.<Cursor>empty();
        do {
            cursor = await(store().sweep(cursor, steps(100), now)).next();
        } while (cursor.isPresent());
    }

    private List<LockName> list(String prefix, Optional<LockStatus> status) {
        var filter = filter(prefix, status, Optional.empty(), Optional.empty());
        return listAll(filter, 100, 100);
    }

    private static LockQuery.Filter filter(
            String prefix, Optional<LockStatus> status, Optional<Owner> owner, Optional<LockType> type) {
        return new LockQuery.Filter(status, Optional.of(prefix), owner, type);
    }

    private List<LockName> listAll(LockQuery.Filter filter, int limit, int examinedMax) {
        var names = new ArrayList<LockName>();
        var cursor = Optional.<Cursor>empty();
        do {
            var bounds = new LockQuery.Bounds(limit, examinedMax);
            var page = await(store().list(new LockQuery(filter, bounds, cursor), NOON.plusSeconds(60)));
            page.items().forEach(record -> names.add(record.name()));
            cursor = page.next();
        } while (cursor.isPresent());
        return names;
    }
}

package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.QUEUE_MAX;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.askedAgain;
import static io.holdfast.lock.port.Fixtures.atReplica;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.claim;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.lookingAgain;
import static io.holdfast.lock.port.Fixtures.present;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.port.AcquireOutcome.AlreadyHeld;
import io.holdfast.lock.port.AcquireOutcome.GaveUp;
import io.holdfast.lock.port.AcquireOutcome.Granted;
import io.holdfast.lock.port.AcquireOutcome.QueueFull;
import io.holdfast.lock.port.AcquireOutcome.Queued;
import io.holdfast.lock.port.AcquireOutcome.ReservedForQueue;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every lock store must do for those who wait. */
public interface WaitQueueFacts {
    Owner CY = new Owner("cy");
    Instant PATIENT = NOON.plusSeconds(20);
    Instant IMPATIENT = NOON.plusSeconds(5);

    LockStore locks();

    // Refusals first.

    @Test
    default void nobodyIsLetInBeforeThoseInLine() {
        var held = held();
        var bob = inLine(waits(BOB, held.name(), PATIENT));
        await(locks().release(held.ref(), NOON));

        var outcome = await(locks().acquire(wants(CY, held.name()), NOON));

        assertThat(outcome).isInstanceOfSatisfying(ReservedForQueue.class, kept -> assertThat(kept.waiting())
                .isOne());
        assertThat(line(held.name())).containsExactly(bob);
    }

    @Test
    default void anOwnersOwnExpiredLeaseDoesNotPutItBeforeThoseInLine() {
        var held = held();
        var late = waits(BOB, held.name(), NOON.plusSeconds(90));
        inLine(late);

        assertThat(await(locks().acquire(wants(ADA, held.name()), NOON.plus(TTL))))
                .isInstanceOf(ReservedForQueue.class);
    }

    @Test
    default void theSecondInLineIsNotGrantedTheLockWhileTheFirstWaits() {
        var held = held();
        inLine(waits(BOB, held.name(), PATIENT));
        var cy = waits(CY, held.name(), PATIENT);
        inLine(cy);
        await(locks().release(held.ref(), NOON));

        assertThat(await(locks().acquire(cy, NOON)))
                .isInstanceOfSatisfying(
                        Queued.class, place -> assertThat(place.place()).isOne());
    }

    @Test
    default void aWaiterWhoseDeadlineHasPassedIsNeverGrantedTheLock() {
        var held = held();
        var bob = waits(BOB, held.name(), IMPATIENT);
        inLine(bob);
        await(locks().release(held.ref(), NOON.plusSeconds(1)));

        var outcome = await(locks().acquire(bob, IMPATIENT));

        assertThat(outcome).isInstanceOf(GaveUp.class);
        assertThat(record(held.name()).statusAt(IMPATIENT)).isEqualTo(LockStatus.RELEASED);
    }

    @Test
    default void anOverdueRequestIsNotGrantedEvenALockThatNeverWas() {
        var name = aName();

        assertThat(await(locks().acquire(waits(BOB, name, IMPATIENT), IMPATIENT)))
                .isEqualTo(new GaveUp(name, Optional.empty()));
        assertThat(await(locks().find(name))).isEmpty();
    }

    @Test
    default void aFullLineTakesNobodyMore() {
        var held = held();
        IntStream.range(0, QUEUE_MAX).forEach(i -> inLine(waits(new Owner("w" + i), held.name(), PATIENT)));
        var before = record(held.name());

        var outcome = await(locks().acquire(waits(BOB, held.name(), PATIENT), NOON));

        assertThat(outcome).isEqualTo(new QueueFull(held.name(), QUEUE_MAX, LockRules.QUEUE_MAX));
        assertThat(record(held.name())).isEqualTo(before);
    }

    @Test
    default void onlyThePlaceThatWasAskedForIsGivenUp() {
        var held = held();
        var bob = waits(BOB, held.name(), IMPATIENT);
        inLine(bob);
        var forged = new LeaseRef(held.name(), bob.id(), CY);

        assertThat(await(locks().withdraw(forged, bob.attempt(), NOON))).isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(await(locks().withdraw(bob.ref(), AttemptId.random(), NOON)))
                .isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(line(held.name())).hasSize(1);
    }

    @Test
    default void aLeaseThatSomebodyHasHeardOfIsNotGivenBack() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        await(locks().release(held.ref(), NOON));
        var granted = granted(bob, NOON);

        // The same request, asked again by a caller who never heard the first answer.
        var again = askedAgain(bob, NOON.plusSeconds(1), PATIENT);
        assertThat(await(locks().acquire(again, NOON.plusSeconds(1)))).isEqualTo(new AlreadyHeld(granted));

        assertThat(await(locks().withdraw(bob.ref(), bob.attempt(), NOON.plusSeconds(1))))
                .isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(record(held.name()).statusAt(NOON.plusSeconds(1))).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    default void aRenewedLeaseIsNotGivenBack() {
        var bob = waits(BOB, aName(), PATIENT);
        granted(bob, NOON);
        await(locks().renew(bob.ref(), Optional.empty(), NOON.plusSeconds(1)));

        assertThat(await(locks().withdraw(bob.ref(), bob.attempt(), NOON.plusSeconds(1))))
                .isEqualTo(new WithdrawOutcome.NotThere());
    }

    @Test
    default void aLeaseThatWasNotWaitedForIsNotGivenBack() {
        var held = held();

        assertThat(await(locks().withdraw(held.ref(), AttemptId.random(), NOON)))
                .isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(record(held.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    // The line.

    @Test
    default void theLockGoesThroughTheLineInTheOrderOfArrival() {
        var held = held();
        var waiting = List.of(
                waits(BOB, held.name(), PATIENT), waits(CY, held.name(), PATIENT), waits(ADA, held.name(), PATIENT));
        // The last one is its holder's own second request: it is answered at once and stands in no line.
        assertThat(await(locks().acquire(waiting.getLast(), NOON))).isInstanceOf(AlreadyHeld.class);
        inLine(waiting.get(0));
        inLine(waiting.get(1));
        await(locks().release(held.ref(), NOON));

        var bobs = granted(waiting.get(0), NOON);
        assertThat(await(locks().acquire(waiting.get(1), NOON))).isInstanceOf(Queued.class);
        await(locks().release(bobs.ref(), NOON));
        var cys = granted(waiting.get(1), NOON);

        assertThat(List.of(bobs.token(), cys.token()))
                .containsExactly(held.token().next(), held.token().next().next());
        assertThat(line(held.name())).isEmpty();
    }

    @Test
    default void aDeadWaiterInFrontIsPassedByAtItsDeadline() {
        var held = held();
        inLine(waits(BOB, held.name(), IMPATIENT));
        var cy = waits(CY, held.name(), PATIENT);
        inLine(cy);
        await(locks().release(held.ref(), NOON));

        assertThat(await(locks().acquire(cy, IMPATIENT.minusMillis(1)))).isInstanceOf(Queued.class);
        granted(cy, IMPATIENT);

        assertThat(line(held.name())).isEmpty();
    }

    @Test
    default void aLineOfTheDeadKeepsNobodyOut() {
        var held = held();
        inLine(waits(BOB, held.name(), IMPATIENT));
        inLine(waits(CY, held.name(), IMPATIENT));
        await(locks().release(held.ref(), NOON));

        granted(wants(new Owner("dora"), held.name()), IMPATIENT);

        assertThat(line(held.name())).isEmpty();
    }

    @Test
    default void theDeadTakeUpNoRoomInTheLine() {
        var held = held();
        IntStream.range(0, QUEUE_MAX).forEach(i -> inLine(waits(new Owner("w" + i), held.name(), IMPATIENT)));
        var bob = waits(BOB, held.name(), PATIENT);

        var outcome = await(locks().acquire(bob, IMPATIENT));

        assertThat(outcome).isInstanceOfSatisfying(Queued.class, place -> assertThat(place.place())
                .isZero());
        assertThat(line(held.name())).singleElement().satisfies(ticket -> assertThat(ticket.owner())
                .isEqualTo(BOB));
    }

    @Test
    default void theDeadBehindTheHeadDoNotHinderIt() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        inLine(waits(CY, held.name(), IMPATIENT));
        var dora = waits(new Owner("dora"), held.name(), PATIENT);
        inLine(dora);
        await(locks().release(held.ref(), NOON));

        var bobs = granted(bob, IMPATIENT);
        await(locks().release(bobs.ref(), IMPATIENT));

        granted(dora, IMPATIENT);
    }

    @Test
    default void whoAsksAgainKeepsThePlaceAndWaitsUntilTheNewDeadline() {
        var held = held();
        var bob = waits(BOB, held.name(), IMPATIENT);
        inLine(bob);
        inLine(waits(CY, held.name(), PATIENT));

        var again = askedAgain(bob, NOON.plusSeconds(1), PATIENT);
        var outcome = await(locks().acquire(again, NOON.plusSeconds(1)));

        assertThat(outcome).isInstanceOfSatisfying(Queued.class, place -> assertThat(place.place())
                .isZero());
        assertThat(line(held.name()))
                .hasSize(2)
                .first()
                .isEqualTo(new Ticket(
                        bob.id(), BOB, again.attempt(), present(PATIENT).replica(), NOON.plusSeconds(1), PATIENT));
        // The one who asked first is gone by now. That must not cost the second one the place.
        assertThat(await(locks().withdraw(bob.ref(), bob.attempt(), NOON.plusSeconds(1))))
                .isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(line(held.name())).hasSize(2);
    }

    /** Both are alive: the one who asked first must not take back what the second one was told. */
    @Test
    default void whoLooksAgainLeavesThePlaceToWhoeverCameForItLast() {
        var held = held();
        var bob = waits(BOB, held.name(), IMPATIENT);
        inLine(bob);
        var again = askedAgain(bob, NOON, PATIENT);
        inLine(again);

        assertThat(await(locks().acquire(lookingAgain(bob), NOON))).isInstanceOf(Queued.class);

        assertThat(line(held.name())).singleElement().satisfies(ticket -> assertThat(ticket.attempt())
                .isEqualTo(again.attempt()));
    }

    /** The caller was told to ask again, and did, before the first request was taken back. */
    @Test
    default void whatWasGrantedToTheSameRequestAskedAgainIsNotGivenBack() {
        var first = waits(BOB, aName(), PATIENT);
        var again = askedAgain(first, NOON, PATIENT);
        granted(again, NOON);

        assertThat(await(locks().withdraw(first.ref(), first.attempt(), NOON)))
                .isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(record(first.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    @Test
    default void aGrantWhoseAnswerWasLostIsFoundByTheSameAttemptAndCanStillBeGivenBack() {
        var bob = waits(BOB, aName(), PATIENT);
        var lease = granted(bob, NOON);

        assertThat(await(locks().acquire(lookingAgain(bob), NOON.plusSeconds(1))))
                .isEqualTo(new Granted(lease, Optional.empty()));
        assertThat(await(locks().withdraw(bob.ref(), bob.attempt(), NOON.plusSeconds(1))))
                .isEqualTo(new WithdrawOutcome.Released(lease));
    }

    @Test
    default void whoHoldsALockLearnsHowManyWaitForIt() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        var cy = waits(CY, held.name(), PATIENT);
        inLine(cy);

        assertThat(await(locks().renew(held.ref(), Optional.empty(), NOON)))
                .isInstanceOfSatisfying(RenewOutcome.Renewed.class, renewed -> assertThat(renewed.waiting())
                        .isEqualTo(2));
        assertThat(await(locks().acquire(wants(ADA, held.name()), NOON)))
                .isInstanceOfSatisfying(
                        AlreadyHeld.class, yours -> assertThat(yours.waiting()).isEqualTo(2));
        await(locks().release(held.ref(), NOON));
        await(locks().withdraw(bob.ref(), bob.attempt(), NOON));
        assertThat(await(locks().acquire(cy, NOON)))
                .isInstanceOfSatisfying(Granted.class, granted -> assertThat(granted.waiting(NOON))
                        .isZero());
    }

    @Test
    default void whoLeavesMakesRoomForTheNext() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        var cy = waits(CY, held.name(), PATIENT);
        inLine(cy);
        await(locks().release(held.ref(), NOON));

        assertThat(await(locks().withdraw(bob.ref(), bob.attempt(), NOON))).isEqualTo(new WithdrawOutcome.LeftQueue());

        granted(cy, NOON);
    }

    @Test
    default void theLastToLeaveLeavesAFreeLock() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        await(locks().release(held.ref(), NOON));
        await(locks().withdraw(bob.ref(), bob.attempt(), NOON));

        granted(wants(CY, held.name()), NOON);
    }

    @Test
    default void whatWasGrantedToSomebodyWhoIsGoneIsGivenBack() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        await(locks().release(held.ref(), NOON));
        var bobs = granted(bob, NOON);

        assertThat(await(locks().withdraw(bob.ref(), bob.attempt(), NOON)))
                .isEqualTo(new WithdrawOutcome.Released(bobs));

        assertThat(granted(wants(CY, held.name()), NOON).token()).isGreaterThan(bobs.token());
    }

    @Test
    default void theLineOutlivesRenewalAndRelease() {
        var held = held();
        inLine(waits(BOB, held.name(), PATIENT));
        var queue = record(held.name()).queue();

        await(locks().renew(held.ref(), Optional.empty(), NOON.plusSeconds(1)));
        assertThat(record(held.name()).queue()).isEqualTo(queue);

        assertThat(await(locks().release(held.ref(), NOON.plusSeconds(2))))
                .isInstanceOfSatisfying(ReleaseOutcome.Released.class, released -> assertThat(released.queue())
                        .isEqualTo(queue));
        assertThat(record(held.name()).queue()).isEqualTo(queue);
    }

    @Test
    default void afterAForceReleaseTheFirstInLineIsNextOnceTheDelayIsOver() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        await(locks().forceRelease(force(held.name(), held.token(), Duration.ofSeconds(3)), NOON));

        assertThat(await(locks().acquire(bob, NOON.plusSeconds(2)))).isInstanceOf(Queued.class);
        granted(bob, NOON.plusSeconds(3));
    }

    @Test
    default void theFirstInLineTakesOverAnExpiredLease() {
        var held = held();
        var bob = waits(BOB, held.name(), NOON.plusSeconds(90));
        inLine(bob);

        assertThat(await(locks().acquire(bob, NOON.plus(TTL).plus(SKEW)))).isInstanceOf(Queued.class);
        var outcome = await(locks().acquire(bob, NOON.plus(TTL).plus(SKEW).plusMillis(1)));

        assertThat(outcome).isInstanceOfSatisfying(Granted.class, granted -> assertThat(granted.takenOver())
                .contains(held));
    }

    /** What a caller believes to have seen may be old; the store never goes by it alone. */
    @Test
    default void anOldSightOfTheLockGrantsNothing() {
        var held = held();
        var free = record(held.name()).endedAt(NOON);
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);

        var hopeful = bob.with(new AcquireRequest.Observation(Optional.of(free), Optional.empty()));

        assertThat(await(locks().acquire(hopeful, NOON))).isInstanceOf(Queued.class);
        assertThat(record(held.name()).lease()).isEqualTo(held);
        assertThat(line(held.name())).hasSize(1);
    }

    @Test
    default void anOldSightOfTheLineGrantsNothing() {
        var held = held();
        var bob = waits(BOB, held.name(), PATIENT);
        inLine(bob);
        inLine(waits(CY, held.name(), PATIENT));
        await(locks().release(held.ref(), NOON));
        var seen = record(held.name());
        await(locks().withdraw(bob.ref(), bob.attempt(), NOON));

        var hopeful = bob.with(new AcquireRequest.Observation(Optional.of(seen), Optional.empty()));

        // It had left; by asking again it joins the line at its end.
        assertThat(await(locks().acquire(hopeful, NOON)))
                .isInstanceOfSatisfying(
                        Queued.class, place -> assertThat(place.place()).isOne());
    }

    @Test
    default void manyWhoJoinAtOnceAllGetAPlaceAndOnlyOne() {
        var held = held();
        var requests = IntStream.range(0, QUEUE_MAX)
                .mapToObj(i -> waits(new Owner("w" + i), held.name(), PATIENT))
                .toList();

        var outcomes = await(Uni.join()
                .all(requests.stream()
                        .map(request -> locks().acquire(request, NOON))
                        .toList())
                .andFailFast());

        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Queued.class));
        assertThat(line(held.name()))
                .extracting(Ticket::id)
                .containsExactlyInAnyOrderElementsOf(
                        requests.stream().map(AcquireRequest::id).toList());
    }

    /** Whichever comes first, the lock is never free with somebody in line who was told to wait. */
    @Test
    default void aReleaseThatRacesAnArrivalNeverLeavesTheFirstInLineWaitingForAFreeLock() {
        for (var round = 0; round < 10; round++) {
            var held = held();
            var bob = waits(BOB, held.name(), PATIENT);

            var both = await(Uni.combine()
                    .all()
                    .unis(locks().acquire(bob, NOON), locks().release(held.ref(), NOON))
                    .asTuple());

            if (both.getItem1() instanceof Queued place) {
                assertThat(place.record().end())
                        .as("it joined before the release")
                        .isEmpty();
                granted(bob, NOON);
            } else {
                assertThat(both.getItem1()).isInstanceOf(Granted.class);
            }
        }
    }

    // Leases that were watched.

    @Test
    default void aLeaseThatWasWatchedForItsWholeDurationIsTakenOverWhateverItSays() {
        var wild = granted(wants(ADA, aName()), NOON.plus(Duration.ofDays(365)));
        var knowing = wants(BOB, wild.name()).with(outlasted(wild));

        assertThat(await(locks().acquire(wants(BOB, wild.name()), NOON)))
                .isInstanceOf(AcquireOutcome.HeldByAnother.class);
        var outcome = await(locks().acquire(knowing, NOON));

        assertThat(outcome).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.takenOver()).contains(wild);
            assertThat(granted.lease().token()).isEqualTo(wild.token().next());
        });
    }

    @Test
    default void aLeaseThatWasRenewedSinceItWasWatchedIsNotTakenOver() {
        var held = held();
        await(locks().renew(held.ref(), Optional.empty(), NOON.plusSeconds(1)));

        assertThat(await(locks().acquire(wants(BOB, held.name()).with(outlasted(held)), NOON.plusSeconds(2))))
                .isInstanceOf(AcquireOutcome.HeldByAnother.class);
    }

    /** A clock far ahead granted it; the right clock of this replica cannot prolong it, and leaves a trace instead. */
    @Test
    default void aWildLeaseThatWasConfirmedSinceItWasWatchedIsNotTakenOver() {
        var wild = granted(wants(ADA, aName()), NOON.plus(Duration.ofDays(365)));

        assertThat(await(locks().renew(wild.ref(), Optional.empty(), NOON)))
                .isInstanceOfSatisfying(RenewOutcome.Renewed.class, renewed -> {
                    assertThat(renewed.lease().expiresAt()).isEqualTo(wild.expiresAt());
                    assertThat(renewed.lease().remainingAt(NOON)).isEqualTo(TTL);
                    assertThat(record(wild.name()).lease()).isEqualTo(renewed.lease());
                });
        assertThat(await(locks().acquire(wants(BOB, wild.name()).with(outlasted(wild)), NOON)))
                .isInstanceOf(AcquireOutcome.HeldByAnother.class);
    }

    @Test
    default void aWildLeaseThatItsOwnerWasToldOfSinceItWasWatchedIsNotTakenOver() {
        var wild = granted(wants(ADA, aName()), NOON.plus(Duration.ofDays(365)));

        assertThat(await(locks().acquire(wants(ADA, wild.name()), NOON)))
                .isInstanceOfSatisfying(
                        AlreadyHeld.class,
                        yours -> assertThat(record(wild.name()).lease()).isEqualTo(yours.lease()));
        assertThat(await(locks().acquire(wants(BOB, wild.name()).with(outlasted(wild)), NOON)))
                .isInstanceOf(AcquireOutcome.HeldByAnother.class);
    }

    @Test
    default void anotherLeaseThanTheOneThatWasWatchedIsNotTakenOver() {
        var watched = held();
        await(locks().release(watched.ref(), NOON));
        granted(wants(CY, watched.name()), NOON);

        assertThat(await(locks().acquire(wants(BOB, watched.name()).with(outlasted(watched)), NOON)))
                .isInstanceOf(AcquireOutcome.HeldByAnother.class);
    }

    // Releasing for an attempt.

    @Test
    default void aLeaseIsReleasedForTheAttemptThatItBelongsTo() {
        var request = wants(ADA, aName());
        var held = granted(request, NOON);

        assertThat(await(locks().release(claim(request, held), NOON.plusSeconds(1))))
                .isEqualTo(new ReleaseOutcome.Released(held));
        assertThat(record(held.name()).statusAt(NOON.plusSeconds(1))).isEqualTo(LockStatus.RELEASED);
        assertThat(await(locks().release(claim(request, held), NOON.plusSeconds(1))))
                .isEqualTo(new ReleaseOutcome.AlreadyGone());
    }

    @Test
    default void aLeaseThatALaterAttemptWasToldOfIsNeitherRenewedNorReleasedForTheEarlierOne() {
        var first = wants(ADA, aName());
        var held = granted(first, NOON);
        var second = AcquireRequest.once(first.ref(), TTL, Labels.NONE);
        assertThat(await(locks().acquire(second, NOON))).isEqualTo(new AlreadyHeld(held));

        assertThat(await(locks().renew(claim(first, held), Renewal.by(Optional.empty()), NOON)))
                .isEqualTo(new RenewOutcome.Superseded(held));
        assertThat(await(locks().release(claim(first, held), NOON))).isEqualTo(new ReleaseOutcome.Superseded(held));
        assertThat(await(locks().withdraw(first.ref(), first.attempt(), NOON)))
                .isEqualTo(new WithdrawOutcome.NotThere());

        assertThat(record(held.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
        assertThat(await(locks().renew(claim(second, held), Renewal.by(Optional.empty()), NOON)))
                .isInstanceOf(RenewOutcome.Renewed.class);
    }

    /** It was told of a lease that an earlier attempt was granted, and whose answer somebody may have heard. */
    @Test
    default void anAttemptThatOnlyTookALeaseOverDoesNotWithdrawIt() {
        var first = wants(ADA, aName());
        granted(first, NOON);
        var second = AcquireRequest.once(first.ref(), TTL, Labels.NONE);
        await(locks().acquire(second, NOON));

        assertThat(await(locks().withdraw(second.ref(), second.attempt(), NOON)))
                .isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(record(first.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    /** The earlier attempt waited, and finds that the later one was granted the lock: it is told so, and may be heard. */
    @Test
    default void aLeaseThatAWaitingAttemptWasToldOfIsNotWithdrawnForTheOneThatItWasGrantedTo() {
        var held = held();
        var first = waits(BOB, held.name(), PATIENT);
        inLine(first);
        await(locks().release(held.ref(), NOON));
        var later = askedAgain(first, NOON, PATIENT);
        var lease = granted(later, NOON);

        assertThat(await(locks().acquire(lookingAgain(first), NOON))).isEqualTo(new AlreadyHeld(lease));

        assertThat(await(locks().withdraw(later.ref(), later.attempt(), NOON)))
                .isEqualTo(new WithdrawOutcome.NotThere());
        assertThat(await(locks().renew(claim(first, lease), Renewal.by(Optional.empty()), NOON)))
                .as("the lease stays with the later attempt")
                .isEqualTo(new RenewOutcome.Superseded(lease));
        assertThat(await(locks().renew(claim(later, lease), Renewal.by(Optional.empty()), NOON)))
                .isInstanceOf(RenewOutcome.Renewed.class);
        assertThat(await(locks().release(claim(later, lease), NOON)))
                .as("the first attempt's caller may be at work")
                .isInstanceOf(ReleaseOutcome.Superseded.class);
        assertThat(await(locks().release(lease.ref(), NOON))).isInstanceOf(ReleaseOutcome.Released.class);
    }

    /** A connection or a set of locks renews the lease before a caller is told: then it finds that it is the older one. */
    @Test
    default void anOlderAttemptThatTellsNoCallerLeavesTheLeaseToTheLaterOneAlone() {
        var held = held();
        var first = forService(waits(BOB, held.name(), PATIENT));
        inLine(first);
        await(locks().release(held.ref(), NOON));
        var later = askedAgain(first, NOON, PATIENT);
        var lease = granted(later, NOON);

        assertThat(await(locks().acquire(lookingAgain(first), NOON))).isEqualTo(new AlreadyHeld(lease));

        assertThat(await(locks().renew(claim(first, lease), Renewal.by(Optional.empty()), NOON)))
                .isEqualTo(new RenewOutcome.Superseded(lease));
        assertThat(await(locks().release(claim(later, lease), NOON))).isInstanceOf(ReleaseOutcome.Released.class);
    }

    /** The two waited under lock_ids of their own: the one that came first was granted the lock, and is a connection. */
    @Test
    default void aLeaseThatTheLaterOfTwoWaitersWasToldOfIsNotGivenBackForTheFirst() {
        var held = held();
        var first = forService(waits(BOB, held.name(), PATIENT));
        var second = waits(BOB, held.name(), PATIENT);
        inLine(first);
        inLine(second);
        await(locks().release(held.ref(), NOON));
        var lease = granted(lookingAgain(first), NOON);
        assertThat(await(locks().acquire(lookingAgain(second), NOON))).isEqualTo(new AlreadyHeld(lease, 1));

        assertThat(await(locks().release(claim(first, lease), NOON))).isInstanceOf(ReleaseOutcome.Superseded.class);

        assertThat(record(held.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    /** A connection has taken the lease over since the renewal was sent, and goes on with it. */
    @Test
    default void aRenewalThatWasHeldUpDoesNotTakeTheLeaseFromALaterConnection() {
        var request = wants(ADA, aName());
        var held = granted(request, NOON);
        var connection = forService(AcquireRequest.once(request.ref(), TTL, Labels.NONE));
        await(locks().acquire(connection, NOON.plusSeconds(9)));
        await(locks().renew(claim(connection, held), Renewal.by(Optional.of(TTL)), NOON.plusSeconds(10)));

        assertThat(await(locks().renew(held.ref(), Optional.empty(), NOON.plusSeconds(1))))
                .isInstanceOf(RenewOutcome.Renewed.class);

        assertThat(await(locks().renew(claim(connection, held), Renewal.by(Optional.of(TTL)), NOON.plusSeconds(20))))
                .isInstanceOf(RenewOutcome.Renewed.class);
        assertThat(await(locks().release(claim(connection, held), NOON.plusSeconds(20))))
                .as("the caller who renewed may rely on the lease")
                .isInstanceOf(ReleaseOutcome.Superseded.class);
    }

    /** A request that was held up on its way, until a later attempt had taken the lease over and renewed it. */
    @Test
    default void aRequestThatWasOvertakenByARenewalDoesNotTakeTheLeaseBack() {
        var first = wants(ADA, aName());
        granted(first, NOON);
        await(locks().renew(first.ref(), Optional.empty(), NOON.plusSeconds(10)));
        var renewed = record(first.name());

        assertThat(await(locks().acquire(AcquireRequest.once(first.ref(), TTL, Labels.NONE), NOON.plusSeconds(1))))
                .isInstanceOf(AlreadyHeld.class);

        assertThat(record(first.name()).attempts().current())
                .isEqualTo(renewed.attempts().current());
    }

    @Test
    default void aRenewalByTheOwnerItselfTakesTheLeaseFromTheAttemptBefore() {
        var request = wants(ADA, aName());
        var held = granted(request, NOON);
        await(locks().renew(held.ref(), Optional.empty(), NOON.plusSeconds(1)));
        var renewed = record(held.name()).lease();

        assertThat(await(locks().release(claim(request, held), NOON.plusSeconds(1))))
                .isEqualTo(new ReleaseOutcome.Superseded(renewed));
        assertThat(record(held.name()).statusAt(NOON.plusSeconds(1))).isEqualTo(LockStatus.ACTIVE);
    }

    /** The renewal cannot prolong what the other clock promised, and still the lease is the renewer's. */
    @Test
    default void aRenewalByAClockThatIsBehindTakesTheLeaseFromTheAttemptBefore() {
        var request = wants(ADA, aName());
        var held = granted(request, NOON);

        var renewal = await(locks().renew(held.ref(), Optional.of(TTL.plusSeconds(1)), NOON.minusMillis(300)));

        var renewed = record(held.name()).lease();
        assertThat(renewal).isEqualTo(new RenewOutcome.Renewed(renewed));
        assertThat(renewed.expiresAt()).isEqualTo(held.expiresAt());
        assertThat(renewed.term().ttl()).isEqualTo(TTL);
        assertThat(await(locks().release(claim(request, held), NOON)))
                .isEqualTo(new ReleaseOutcome.Superseded(renewed));
        assertThat(record(held.name()).statusAt(NOON)).isEqualTo(LockStatus.ACTIVE);
    }

    // Naming the token.

    /** The owner's own request arrived once more after another owner had held the lock: its critical section is broken. */
    @Test
    default void aLaterLeaseUnderTheSameLockIdIsNeitherRenewedNorReleasedByTheEarlierToken() {
        var request = wants(ADA, aName());
        var first = granted(request, NOON);
        await(locks().release(first.ref(), NOON));
        var bobs = granted(wants(BOB, first.name()), NOON);
        await(locks().release(bobs.ref(), NOON));
        var late = granted(AcquireRequest.once(request.ref(), TTL, Labels.NONE), NOON);
        var claim = LeaseClaim.of(first.ref()).withToken(Optional.of(first.token()));

        assertThat(await(locks().renew(claim, Renewal.by(Optional.empty()), NOON)))
                .isEqualTo(new RenewOutcome.NotHeld(Optional.of(late), Optional.empty()));
        assertThat(await(locks().release(claim, NOON))).isEqualTo(new ReleaseOutcome.HeldByAnother(late));
        assertThat(record(first.name()).lease()).isEqualTo(late);
        assertThat(await(locks().renew(claim.withToken(Optional.of(late.token())), Renewal.by(Optional.empty()), NOON)))
                .isInstanceOf(RenewOutcome.Renewed.class);
    }

    // Tickets of replicas that are not heard of.

    /** The store was away for a minute, and no replica could confirm its tickets. */
    @Test
    default void ticketsKeepTheirPlacesHoweverLongAgoTheyWereConfirmed() {
        var held = held();
        var deadline = NOON.plusSeconds(300);
        var bob = atReplica("r1", waits(BOB, held.name(), deadline), NOON.plusSeconds(15));
        inLine(bob);
        var cy = atReplica("r2", waits(CY, held.name(), deadline), NOON.plusSeconds(15));
        inLine(cy);
        await(locks().release(held.ref(), NOON));
        var later = NOON.plusSeconds(60);

        assertThat(await(locks().acquire(wants(new Owner("dora"), held.name()), later)))
                .isInstanceOf(ReservedForQueue.class);
        assertThat(await(locks().acquire(lookingAgain(cy), later))).isInstanceOf(Queued.class);
        var bobs = granted(lookingAgain(bob), later);
        await(locks().release(bobs.ref(), later));
        granted(lookingAgain(cy), later);
    }

    // What else is kept.

    @Test
    default void untilWhenTheServiceRenewsIsKeptThroughRenewals() {
        var request = wants(ADA, aName());
        var asked = AcquireRequest.once(
                request.ref(),
                request.attempt(),
                new AcquireRequest.Terms(TTL, Optional.of(Duration.ofHours(2)), AcquireRequest.Recipient.CALLER),
                Labels.NONE);
        granted(asked, NOON);
        await(locks().renew(asked.ref(), Optional.empty(), NOON.plusSeconds(1)));

        assertThat(record(asked.name()).lease().term().renewUntil()).contains(NOON.plus(Duration.ofHours(2)));
    }

    @Test
    default void aRecordThatSomebodyWaitsOnIsNotTidiedAway() {
        var held = held();
        var idle = NOON.plus(TTL).plus(RETENTION).plusSeconds(1);
        var bob = waits(BOB, held.name(), idle.plusSeconds(60));
        inLine(bob);

        var cursor = Optional.<io.holdfast.kernel.Cursor>empty();
        do {
            cursor = await(locks().sweep(cursor, steps(100), idle)).next();
        } while (cursor.isPresent());

        assertThat(await(locks().find(held.name()))).isPresent();
    }

    // Words.

    /** As a connection or a set of locks asks. */
    private static AcquireRequest forService(AcquireRequest request) {
        var terms =
                new AcquireRequest.Terms(request.ttl(), request.terms().maxHold(), AcquireRequest.Recipient.SERVICE);
        return new AcquireRequest(
                request.ref(), request.attempt(), terms, request.labels(), request.queueEntry(), request.observation());
    }

    private Lease held() {
        return granted(wants(ADA, aName()), NOON);
    }

    private Lease granted(AcquireRequest request, Instant now) {
        var outcome = await(locks().acquire(request, now));
        assertThat(outcome).isInstanceOf(Granted.class);
        var lease = ((Granted) outcome).lease();
        assertThat(lease.ref()).isEqualTo(request.ref());
        assertThat(record(request.name()).lease()).isEqualTo(lease);
        return lease;
    }

    private Ticket inLine(AcquireRequest request) {
        var outcome = await(locks().acquire(request, NOON));
        assertThat(outcome).isInstanceOf(Queued.class);
        var tickets = new ArrayList<>(((Queued) outcome).record().queue().tickets());
        assertThat(record(request.name()).queue().tickets()).isEqualTo(tickets);
        return tickets.getLast();
    }

    private LockRecord record(LockName name) {
        return await(locks().find(name)).orElseThrow();
    }

    private List<Ticket> line(LockName name) {
        return record(name).queue().tickets();
    }

    private static AcquireRequest.Observation outlasted(Lease lease) {
        return new AcquireRequest.Observation(Optional.empty(), Optional.of(lease));
    }
}

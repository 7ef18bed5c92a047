package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.present;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Subject;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Ticket;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every lock store does for each pair of a stored subject and the subject of a request. */
public interface SubjectFacts {
    Subject A = new Subject("token:a");
    Subject B = new Subject("token:b");
    Owner OF_NONE = new Owner("ci");
    Owner OF_A = new Owner("ci", Optional.of(A));
    Owner OF_B = new Owner("ci", Optional.of(B));
    Instant PATIENT = NOON.plusSeconds(20);

    /** The owner string is always the same. */
    record Pair(Owner stored, Owner asking) {
        public boolean same() {
            return !(stored.equals(OF_A) && asking.equals(OF_B));
        }

        /** Whose the lease is after it was used by the request. */
        public Owner after() {
            return stored.subject().isPresent() ? stored : asking;
        }

        @Override
        public String toString() {
            return "stored " + named(stored) + ", request " + named(asking);
        }

        private static String named(Owner owner) {
            return owner.subject().map(Subject::value).orElse("none");
        }
    }

    static Stream<Pair> pairs() {
        return Stream.of(OF_NONE, OF_A)
                .flatMap(stored -> Stream.of(OF_NONE, OF_A, OF_B).map(asking -> new Pair(stored, asking)));
    }

    LockStore locks();

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectIsAnsweredThatItHoldsTheLock(Pair pair) {
        var held = leaseOf(pair.stored());

        var outcome = await(locks().acquire(request(held.name(), LockId.random(), pair.asking()), NOON));

        if (pair.same()) {
            assertThat(outcome).isEqualTo(new AcquireOutcome.AlreadyHeld(of(held, pair.after())));
            assertThat(lease(held.name())).isEqualTo(of(held, pair.after()));
        } else {
            assertThat(outcome).isEqualTo(new AcquireOutcome.HeldByAnother(held));
            assertThat(lease(held.name())).isEqualTo(held);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void aLockIdIsAnIdempotencyKeyOfOneSubjectOnly(Pair pair) {
        var held = leaseOf(pair.stored());

        var outcome = await(locks().acquire(request(held.name(), held.id(), pair.asking()), NOON));

        assertThat(outcome instanceof AcquireOutcome.AlreadyHeld).isEqualTo(pair.same());
        assertThat(outcome instanceof AcquireOutcome.HeldByAnother).isNotEqualTo(pair.same());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectTakesItsExpiredLeaseWithinTheClockSkew(Pair pair) {
        var held = leaseOf(pair.stored());

        var outcome = await(locks().acquire(request(held.name(), held.id(), pair.asking()), NOON.plus(TTL)));

        assertThat(outcome instanceof AcquireOutcome.Granted).isEqualTo(pair.same());
        assertThat(lease(held.name()).owner()).isEqualTo(pair.same() ? pair.asking() : pair.stored());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void everySubjectTakesALeaseThatExpiredBeyondTheClockSkew(Pair pair) {
        var held = leaseOf(pair.stored());
        var later = NOON.plus(TTL).plus(SKEW).plusMillis(1);

        var outcome = await(locks().acquire(request(held.name(), LockId.random(), pair.asking()), later));

        assertThat(outcome).isInstanceOfSatisfying(AcquireOutcome.Granted.class, granted -> assertThat(
                        granted.takenOver().isPresent())
                .isNotEqualTo(pair.same()));
        assertThat(lease(held.name()).owner()).isEqualTo(pair.asking());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void anotherSubjectTakesOverALeaseThatStayedUnchangedForItsTtl(Pair pair) {
        var held = leaseOf(pair.stored());
        var request = request(held.name(), held.id(), pair.asking())
                .with(new AcquireRequest.Observation(Optional.empty(), Optional.of(held)));

        var outcome = await(locks().acquire(request, NOON));

        assertThat(outcome instanceof AcquireOutcome.AlreadyHeld).isEqualTo(pair.same());
        assertThat(outcome instanceof AcquireOutcome.Granted).isNotEqualTo(pair.same());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectRenews(Pair pair) {
        var held = leaseOf(pair.stored());
        var ref = new LeaseRef(held.name(), held.id(), pair.asking());

        var outcome = await(locks().renew(ref, Optional.empty(), NOON.plusSeconds(5)));

        if (pair.same()) {
            assertThat(outcome).isEqualTo(new RenewOutcome.Renewed(lease(held.name())));
            assertThat(lease(held.name()).expiresAt())
                    .isEqualTo(NOON.plusSeconds(5).plus(TTL));
            assertThat(lease(held.name()).owner()).isEqualTo(pair.after());
        } else {
            assertThat(outcome).isEqualTo(new RenewOutcome.NotHeld(Optional.of(held), Optional.empty()));
            assertThat(lease(held.name())).isEqualTo(held);
        }
    }

    /** A renewal that a later one overtook keeps the end of the lease. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectConfirmsALeaseByALateRenewal(Pair pair) {
        var held = leaseOf(pair.stored());
        var ref = new LeaseRef(held.name(), held.id(), pair.asking());

        var outcome = await(locks().renew(ref, Optional.empty(), NOON.minusMillis(500)));

        assertThat(outcome instanceof RenewOutcome.Renewed).isEqualTo(pair.same());
        assertThat(lease(held.name()).expiresAt()).isEqualTo(held.expiresAt());
        assertThat(lease(held.name()).owner()).isEqualTo(pair.same() ? pair.after() : pair.stored());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectReleases(Pair pair) {
        var held = leaseOf(pair.stored());

        var outcome = await(locks().release(new LeaseRef(held.name(), held.id(), pair.asking()), NOON));

        assertThat(outcome)
                .isEqualTo(pair.same() ? new ReleaseOutcome.Released(held) : new ReleaseOutcome.HeldByAnother(held));
        assertThat(record(held.name()).end().isPresent()).isEqualTo(pair.same());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectWithdrawsAGrant(Pair pair) {
        var request = request(aName(), LockId.random(), pair.stored());
        var held = granted(request);

        var ref = new LeaseRef(held.name(), held.id(), pair.asking());
        var outcome = await(locks().withdraw(ref, request.attempt(), NOON));

        assertThat(outcome)
                .isEqualTo(pair.same() ? new WithdrawOutcome.Released(held) : new WithdrawOutcome.NotThere());
        assertThat(record(held.name()).end().isPresent()).isEqualTo(pair.same());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectWithdrawsATicket(Pair pair) {
        var name = heldByEve();
        var waiting = queued(name, LockId.random(), pair.stored());

        var ref = new LeaseRef(name, waiting.id(), pair.asking());
        var outcome = await(locks().withdraw(ref, waiting.attempt(), NOON));

        assertThat(outcome instanceof WithdrawOutcome.LeftQueue).isEqualTo(pair.same());
        assertThat(record(name).queue().isEmpty()).isEqualTo(pair.same());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectTakesOverAPlaceInTheQueue(Pair pair) {
        var name = heldByEve();
        var waiting = queued(name, LockId.random(), pair.stored());

        var again = queued(name, waiting.id(), pair.asking());

        var expected = pair.same() ? List.of(pair.asking()) : List.of(pair.stored(), pair.asking());
        assertThat(tickets(name)).extracting(Ticket::owner).isEqualTo(expected);
        assertThat(tickets(name).getLast().attempt()).isEqualTo(again.attempt());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void onlyTheSameSubjectIsGrantedTheLockByItsTicket(Pair pair) {
        var name = heldByEve();
        var waiting = queued(name, LockId.random(), pair.stored());
        release(name);

        var outcome = await(locks().acquire(request(name, waiting.id(), pair.asking()), NOON.plusSeconds(1)));

        assertThat(outcome instanceof AcquireOutcome.Granted).isEqualTo(pair.same());
        assertThat(outcome instanceof AcquireOutcome.ReservedForQueue).isNotEqualTo(pair.same());
        assertThat(tickets(name)).extracting(Ticket::owner).isEqualTo(pair.same() ? List.of() : List.of(pair.stored()));
    }

    /** Any: the subject has the grant to force. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    default void aSubjectForcesOnlyALeaseThatIsCertainlyItsOwn(Pair pair) {
        var held = leaseOf(pair.stored());
        var allowed = pair.asking().subject().isEmpty() || pair.stored().equals(pair.asking());

        var outcome = await(locks().forceRelease(forced(held, pair.asking().subject()), NOON));

        if (allowed) {
            assertThat(outcome)
                    .isEqualTo(new ForceReleaseOutcome.Freed(
                            Optional.of(held), held.token().next()));
        } else {
            assertThat(outcome).isEqualTo(new ForceReleaseOutcome.BelongsToAnother(record(held.name())));
            assertThat(lease(held.name())).isEqualTo(held);
        }
        assertThat(record(held.name()).end().isPresent()).isEqualTo(allowed);
    }

    /** So a subject without the grant learns nothing but whose the lease is. */
    @Test
    default void theSubjectIsCheckedBeforeTheToken() {
        var held = leaseOf(OF_A);
        var wrong = new ForceRelease(held.name(), held.token().next(), "stuck", Duration.ZERO, Optional.of(B));

        assertThat(await(locks().forceRelease(wrong, NOON))).isInstanceOf(ForceReleaseOutcome.BelongsToAnother.class);
        await(locks().release(held.ref(), NOON));
        assertThat(await(locks().forceRelease(forced(held, Optional.of(B)), NOON)))
                .isInstanceOf(ForceReleaseOutcome.BelongsToAnother.class);
        assertThat(await(locks().forceRelease(forced(held, Optional.of(A)), NOON)))
                .isInstanceOf(ForceReleaseOutcome.AlreadyFree.class);
    }

    @Test
    default void aLeaseThatASubjectHasUsedIsItsOwnFromThenOn() {
        var held = leaseOf(OF_NONE);
        await(locks().renew(new LeaseRef(held.name(), held.id(), OF_A), Optional.empty(), NOON.plusSeconds(1)));
        var ofB = new LeaseRef(held.name(), held.id(), OF_B);

        assertThat(await(locks().renew(ofB, Optional.empty(), NOON.plusSeconds(2))))
                .isInstanceOf(RenewOutcome.NotHeld.class);
        assertThat(await(locks().release(ofB, NOON.plusSeconds(2)))).isInstanceOf(ReleaseOutcome.HeldByAnother.class);
        assertThat(await(locks().forceRelease(forced(held, Optional.of(A)), NOON.plusSeconds(2))))
                .isInstanceOf(ForceReleaseOutcome.Freed.class);
    }

    /** The service renews by the lease as it was granted, before and after. */
    @Test
    default void aRequestWithoutASubjectKeepsTheSubjectOfTheLease() {
        var held = leaseOf(OF_A);
        var ref = new LeaseRef(held.name(), held.id(), OF_NONE);

        await(locks().renew(ref, Optional.of(TTL), NOON.plusSeconds(1)));
        await(locks().acquire(request(held.name(), held.id(), OF_NONE), NOON.plusSeconds(2)));

        assertThat(lease(held.name()).owner()).isEqualTo(OF_A);
    }

    @Test
    default void ofTwoSubjectsThatUseOneLeaseAtTheSameTimeOneGetsIt() {
        for (var round = 0; round < 20; round++) {
            var held = leaseOf(OF_NONE);

            var both = await(Uni.join()
                    .all(
                            locks().renew(new LeaseRef(held.name(), held.id(), OF_A), Optional.empty(), NOON),
                            locks().renew(new LeaseRef(held.name(), held.id(), OF_B), Optional.empty(), NOON))
                    .andFailFast());

            assertThat(both).filteredOn(RenewOutcome.Renewed.class::isInstance).hasSize(1);
            var winner = both.getFirst() instanceof RenewOutcome.Renewed ? OF_A : OF_B;
            assertThat(lease(held.name()).owner()).isEqualTo(winner);
        }
    }

    @Test
    default void theNextGrantHasTheSubjectOfItsRequestAndNoOther() {
        var held = leaseOf(OF_A);
        await(locks().release(held.ref(), NOON));

        var next = granted(request(held.name(), LockId.random(), new Owner("eve")));

        assertThat(lease(held.name())).isEqualTo(next);
        assertThat(next.owner().subject()).isEmpty();
    }

    @Test
    default void waitersOfOneOwnerStringAndTwoSubjectsAreServedInTheirOrder() {
        var name = heldByEve();
        var a = queued(name, LockId.random(), OF_A);
        var b = queued(name, a.id(), OF_B);
        release(name);

        assertThat(await(locks().acquire(Fixtures.lookingAgain(b), NOON.plusSeconds(1))))
                .isInstanceOf(AcquireOutcome.Queued.class);
        assertThat(await(locks().acquire(Fixtures.lookingAgain(a), NOON.plusSeconds(1))))
                .isInstanceOf(AcquireOutcome.Granted.class);
        assertThat(tickets(name)).extracting(Ticket::owner).containsExactly(OF_B);
    }

    @Test
    default void aListByOwnerShowsTheLeasesOfAllItsSubjects() {
        var held = leaseOf(OF_A);
        var filter = new LockQuery.Filter(
                Optional.empty(), Optional.of(held.name().value()), Optional.of(OF_NONE), Optional.empty());

        var page =
                await(locks().list(new LockQuery(filter, new LockQuery.Bounds(10, 100_000), Optional.empty()), NOON));

        assertThat(page.items()).extracting(LockRecord::lease).containsExactly(held);
    }

    private static AcquireRequest request(LockName name, LockId id, Owner owner) {
        return AcquireRequest.once(new LeaseRef(name, id, owner), TTL, Labels.NONE);
    }

    private static ForceRelease forced(Lease seen, Optional<Subject> onlyOf) {
        return new ForceRelease(seen.name(), seen.token(), "stuck", Duration.ZERO, onlyOf);
    }

    private static Lease of(Lease lease, Owner owner) {
        return new Lease(lease.name(), lease.id(), owner, lease.token(), lease.term(), lease.labels());
    }

    private Lease leaseOf(Owner owner) {
        return granted(request(aName(), LockId.random(), owner));
    }

    private Lease granted(AcquireRequest request) {
        var outcome = await(locks().acquire(request, NOON));
        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        return ((AcquireOutcome.Granted) outcome).lease();
    }

    private LockName heldByEve() {
        return leaseOf(new Owner("eve")).name();
    }

    private void release(LockName name) {
        await(locks().release(lease(name).ref(), NOON));
    }

    private AcquireRequest queued(LockName name, LockId id, Owner owner) {
        var request = AcquireRequest.once(
                        new LeaseRef(name, id, owner), AttemptId.random(), AcquireRequest.Terms.of(TTL), Labels.NONE)
                .arriving(NOON, PATIENT, present(PATIENT));
        assertThat(await(locks().acquire(request, NOON))).isInstanceOf(AcquireOutcome.Queued.class);
        return request;
    }

    private LockRecord record(LockName name) {
        return await(locks().find(name)).orElseThrow();
    }

    private Lease lease(LockName name) {
        return record(name).lease();
    }

    private List<Ticket> tickets(LockName name) {
        return record(name).queue().tickets();
    }
}

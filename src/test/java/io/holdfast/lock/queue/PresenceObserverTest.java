package io.holdfast.lock.queue;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PresenceObserverTest {
    private static final Duration TICKET_TTL = Duration.ofSeconds(15);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final ReplicaId SELF = new ReplicaId("self");
    private static final ReplicaId OTHER = new ReplicaId("other");
    private static final ReplicaId THIRD = new ReplicaId("third");
    private static final Instant UNTIL = NOON.plusSeconds(15);

    private final LockName name = aName();
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
    private final PresenceObserver observer = new PresenceObserver(SELF, () -> nanos, TICKET_TTL, 2);

    @Test
    void aReplicaIsNotGoneBeforeItsPresenceWasObservedForTheTicketTtl() {
        observe(Map.of(OTHER, UNTIL));

        assertThat(observeFor(TICKET_TTL, Map.of(OTHER, UNTIL)).gone()).isEmpty();

        assertThat(observeFor(LOOK, Map.of(OTHER, UNTIL)).gone()).containsExactly(new Presence(OTHER, UNTIL));
    }

    /** Whatever time it says: the clock that wrote it may be wrong, and so may this one's. */
    @Test
    void theTimeInAPresenceDoesNotMatter() {
        observe(Map.of(OTHER, Instant.EPOCH, THIRD, NOON.plusSeconds(1_000_000)));

        var findings = observeFor(TICKET_TTL, Map.of(OTHER, Instant.EPOCH, THIRD, NOON.plusSeconds(1_000_000)));
        assertThat(findings.gone()).isEmpty();
        assertThat(observeFor(LOOK, Map.of(OTHER, Instant.EPOCH, THIRD, NOON.plusSeconds(1_000_000)))
                        .gone())
                .hasSize(2);
    }

    @Test
    void aReplicaWhosePresenceChangesIsAlive() {
        observe(Map.of(OTHER, UNTIL));
        observeFor(TICKET_TTL, Map.of(OTHER, UNTIL));

        // A clock that was set back.
        assertThat(observeFor(LOOK, Map.of(OTHER, UNTIL.minusSeconds(60)))).isEqualTo(settled());
        assertThat(observeFor(TICKET_TTL, Map.of(OTHER, UNTIL.minusSeconds(60))))
                .isEqualTo(settled());
    }

    /** All replicas were silent, because the store was away. */
    @Test
    void timeInWhichTheStoreDidNotAnswerDoesNotCount() {
        observe(Map.of(OTHER, UNTIL));
        observeFor(TICKET_TTL.minusSeconds(1), Map.of(OTHER, UNTIL));

        pass(TICKET_TTL.dividedBy(2).plusMillis(1));
        assertThat(observe(Map.of(OTHER, UNTIL))).isEqualTo(undecided());
        assertThat(observeFor(TICKET_TTL, Map.of(OTHER, UNTIL))).isEqualTo(undecided());

        assertThat(observeFor(LOOK, Map.of(OTHER, UNTIL)).gone()).isNotEmpty();
    }

    @Test
    void aShortGapBetweenAnswersIsNoOutage() {
        observe(Map.of(OTHER, UNTIL));

        pass(TICKET_TTL.dividedBy(2));
        observe(Map.of(OTHER, UNTIL));
        pass(TICKET_TTL.dividedBy(2));
        observe(Map.of(OTHER, UNTIL));
        pass(LOOK);

        assertThat(observe(Map.of(OTHER, UNTIL)).gone()).isNotEmpty();
    }

    /** It was on its way for so long that the store may have answered at its beginning. */
    @Test
    void aSlowAnswerProvesNothingForTheTimeThatItTook() {
        observe(Map.of(OTHER, UNTIL));
        observeFor(TICKET_TTL, Map.of(OTHER, UNTIL));
        var sent = nanos;
        pass(Duration.ofSeconds(4));

        assertThat(observer.observe(record(Map.of(OTHER, UNTIL)), sent).gone()).isEmpty();
    }

    @Test
    void aReplicaThatWasFoundGoneStaysSoUntilItsPresenceChanges() {
        observe(Map.of(OTHER, UNTIL));
        observeFor(TICKET_TTL.plus(LOOK), Map.of(OTHER, UNTIL));

        pass(Duration.ofMinutes(5));
        assertThat(observe(Map.of(OTHER, UNTIL)).gone()).isNotEmpty();
        assertThat(observe(Map.of(OTHER, UNTIL.plusSeconds(1)))).isEqualTo(settled());
    }

    @Test
    void aReplicaIsNeverGoneForItself() {
        observe(Map.of(SELF, UNTIL));

        assertThat(observeFor(TICKET_TTL.multipliedBy(3), Map.of(SELF, UNTIL))).isEqualTo(settled());
    }

    /** One that has left the queue need not confirm anything. */
    @Test
    void aPresenceWithoutTicketsIsNotJudged() {
        var queue = new WaitQueue(List.of(), Map.of(OTHER, UNTIL));

        for (var i = 0; i < 20; i++) {
            pass(LOOK);
            assertThat(observer.observe(record().with(queue), nanos)).isEqualTo(settled());
        }
    }

    /** As the version before wrote them. */
    @Test
    void ticketsWithoutAPresenceAreNotJudged() {
        var queue = new WaitQueue(tickets(List.of(OTHER)), Map.of());

        for (var i = 0; i < 20; i++) {
            pass(LOOK);
            assertThat(observer.observe(record().with(queue), nanos)).isEqualTo(settled());
        }
    }

    @Test
    void ofTooManyQueuesTheLongestUnreadIsForgotten() {
        observe(Map.of(OTHER, UNTIL));
        for (var i = 0; i < 2; i++) {
            var another = LockRecord.held(wants(ADA, aName()).leaseAt(NOON, FencingToken.firstAt(NOON)));
            observer.observe(another.with(new WaitQueue(tickets(List.of(OTHER)), Map.of(OTHER, UNTIL))), nanos);
        }

        assertThat(observeFor(TICKET_TTL.plus(LOOK), Map.of(OTHER, UNTIL)).gone())
                .isEmpty();
    }

    private static PresenceObserver.Findings settled() {
        return new PresenceObserver.Findings(List.of(), false);
    }

    private static PresenceObserver.Findings undecided() {
        return new PresenceObserver.Findings(List.of(), true);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private PresenceObserver.Findings observe(Map<ReplicaId, Instant> presences) {
        return observer.observe(record(presences), nanos);
    }

    /** Looks again and again; what the last look found. */
    private PresenceObserver.Findings observeFor(Duration time, Map<ReplicaId, Instant> presences) {
        var findings = undecided();
        for (var left = time; left.isPositive(); left = left.minus(LOOK)) {
            pass(LOOK);
            findings = observe(presences);
        }
        return findings;
    }

    private LockRecord record(Map<ReplicaId, Instant> presences) {
        return record().with(new WaitQueue(tickets(List.copyOf(presences.keySet())), new HashMap<>(presences)));
    }

    private LockRecord record() {
        var request = AcquireRequest.once(new LeaseRef(name, LockId.random(), ADA), TTL, Labels.NONE);
        return LockRecord.held(request.leaseAt(NOON, FencingToken.firstAt(NOON)));
    }

    private static List<Ticket> tickets(List<ReplicaId> replicas) {
        var tickets = new ArrayList<Ticket>();
        replicas.forEach(replica -> tickets.add(new Ticket(
                LockId.random(),
                new Owner("at-" + replica.value()),
                AttemptId.random(),
                replica,
                NOON,
                NOON.plusSeconds(300))));
        return tickets;
    }
}

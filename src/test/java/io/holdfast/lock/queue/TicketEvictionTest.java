package io.holdfast.lock.queue;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockService;
import io.holdfast.lock.LockSettings;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.port.AcquireOutcome.QueueFull;
import io.holdfast.lock.port.AcquireOutcome.ReservedForQueue;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.RulesStore;
import io.holdfast.lock.port.RulesStore.Call;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Queues when replicas die and when the store is away. The time is the test's own. */
class TicketEvictionTest {
    private static final Owner CY = new Owner("cy");
    private static final Owner DORA = new Owner("dora");
    private static final WaitSettings SETTINGS = WaitSettings.DEFAULT.queueMax(3);
    private static final Duration WAIT = Duration.ofMinutes(4);
    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration TICKET_TTL = SETTINGS.ticketTtl();

    private final TestClock clock = new TestClock(NOON);
    private final RulesStore store = new RulesStore(new LockRules(SKEW, RETENTION, SETTINGS.queueMax(), true));
    private final LockName name = aName();

    /** A service with timers of its own, on the store that all replicas share. */
    private final class Replica {
        private final FakeTimers timers = new FakeTimers(clock);
        private final LockService service;

        Replica() {
            var limits = new LockLimits(new LockSettings(), SETTINGS);
            var observer = new LeaseObserver(
                    () -> Duration.between(NOON, clock.instant()).toNanos(), SKEW, 100);
            var wiring = new TestWaiters(store, limits, clock, timers, observer);
            service = wiring.service(wiring.waiters(WaitListener.NONE, new Cleanup(clock, timers, 100)));
        }

        Caller waits(Owner owner) {
            return asks(owner, Optional.of(WAIT));
        }

        Caller asksOnce(Owner owner) {
            return asks(owner, Optional.empty());
        }

        private Caller asks(Owner owner, Optional<Duration> wait) {
            var terms = new LeaseTerms(Optional.of(TTL), wait, Optional.empty());
            var command = new AcquireCommand(name, owner, Optional.of(LockId.random()), terms, Labels.NONE);
            return new Caller(owner, service.acquire(command));
        }
    }

    /** Time passes for these replicas; the timers of others stand still, as those of a process that was killed. */
    private void pass(Duration time, Replica... alive) {
        for (var left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(STEP);
            Arrays.stream(alive).forEach(replica -> replica.timers.advance(Duration.ZERO));
        }
    }

    private void release(Lease lease) {
        await(store.release(lease.ref(), clock.instant()));
    }

    // The store was away.

    @Test
    void aQueueKeepsItsOrderThroughAnOutageOfTheStore() {
        var here = new Replica();
        var there = new Replica();
        var adas = here.asksOnce(ADA).granted();
        var bob = there.waits(BOB);
        var cy = here.waits(CY);
        pass(Duration.ofSeconds(22), here, there);
        store.away(true);
        pass(OUTAGE, here, there);

        // The lease of the holder has ended meanwhile. The first look after the outage is that of the second in line.
        store.away(false);
        pass(Duration.ofSeconds(2), here);
        assertThat(cy.waits()).isTrue();
        pass(Duration.ofSeconds(2), here, there);

        var bobs = bob.granted();
        assertThat(bobs.token()).isEqualTo(adas.token().next());
        release(bobs);
        pass(Duration.ofSeconds(2), here, there);
        cy.granted();
        assertThat(store.count(Call.EVICT)).isZero();
    }

    /** It knows nothing of what was before, and all presences are old by its clock. */
    @Test
    void aReplicaThatStartsAfterAnOutageLetsNoCallerIntoTheLockBeforeThoseWhoWait() {
        var there = new Replica();
        there.asksOnce(ADA).granted();
        var bob = there.waits(BOB);
        store.away(true);
        pass(OUTAGE, there);

        store.away(false);
        var newcomer = new Replica();
        assertThat(newcomer.asksOnce(CY).outcome()).isInstanceOf(ReservedForQueue.class);
        var dora = newcomer.waits(DORA);
        pass(Duration.ofSeconds(3), newcomer);
        assertThat(newcomer.asksOnce(CY).outcome()).isInstanceOf(ReservedForQueue.class);
        assertThat(dora.waits()).isTrue();
        pass(Duration.ofSeconds(3), newcomer, there);

        bob.granted();
        assertThat(dora.waits()).isTrue();
    }

    @Test
    void whoWaitsAloneKeepsThePlaceThroughAnOutage() {
        var here = new Replica();
        here.asksOnce(ADA).granted();
        var bob = here.waits(BOB);
        store.away(true);
        pass(OUTAGE, here);
        store.away(false);

        pass(Duration.ofSeconds(2), here);

        bob.granted();
        assertThat(store.count(Call.EVICT)).isZero();
    }

    /** An outage that ends before the ticket TTL is over, and that comes again and again. */
    @Test
    void outagesThatFollowEachOtherCostNoWaiterThePlace() {
        var here = new Replica();
        var there = new Replica();
        here.asksOnce(ADA).granted();
        var bob = there.waits(BOB);
        var cy = here.waits(CY);

        for (var i = 0; i < 6; i++) {
            store.away(true);
            pass(Duration.ofSeconds(13), here, there);
            store.away(false);
            pass(Duration.ofMillis(200), here);
            assertThat(cy.waits()).isTrue();
        }
        pass(Duration.ofSeconds(2), here, there);

        bob.granted();
        assertThat(cy.waits()).isTrue();
    }

    @Test
    void aReplicaConfirmsItsTicketsSoonAfterAnOutage() {
        var here = new Replica();
        var adas = here.asksOnce(ADA).granted();
        await(store.renew(adas.ref(), Optional.of(Duration.ofHours(1)), clock.instant()));
        here.waits(BOB);
        pass(Duration.ofSeconds(1), here);
        store.away(true);
        pass(OUTAGE, here);
        store.away(false);
        var before = store.record(name).queue().presence();

        pass(Duration.ofMillis(1100), here);

        assertThat(store.record(name).queue().presence()).isNotEqualTo(before);
    }

    /** On a store of its own a process confirms nothing: its tickets end with it. */
    @Test
    void aReplicaNeverRemovesItsOwnTickets() {
        var here = new Replica();
        here.asksOnce(ADA).granted();
        IntStream.range(0, 100).forEach(i -> store.lose(Call.KEEP_QUEUED));
        var bob = here.waits(BOB);
        var cy = here.waits(CY);

        pass(TTL.plus(SKEW).plusSeconds(1), here);

        release(bob.granted());
        pass(Duration.ofSeconds(1), here);
        cy.granted();
        assertThat(store.count(Call.EVICT)).isZero();
    }

    // Replicas that are dead.

    @Test
    void aDeadReplicaThatWasObservedAllTheTimeDelaysTheNextByTheTicketTtl() {
        var here = new Replica();
        var dead = new Replica();
        var adas = here.asksOnce(ADA).granted();
        dead.waits(CY);
        var bob = here.waits(BOB);
        pass(Duration.ofSeconds(7), here, dead);
        release(adas);

        pass(TICKET_TTL.minusSeconds(3), here);
        assertThat(bob.waits()).isTrue();
        pass(Duration.ofSeconds(5), here);

        bob.granted();
        assertThat(store.record(name).queue().isEmpty()).isTrue();
    }

    @Test
    void aReplicaThatDiedDuringAnOutageDelaysTheNextByTheTicketTtlOfAWorkingStore() {
        var here = new Replica();
        var dead = new Replica();
        here.asksOnce(ADA).granted();
        dead.waits(CY);
        var bob = here.waits(BOB);
        pass(Duration.ofSeconds(7), here, dead);
        store.away(true);
        pass(OUTAGE, here);
        store.away(false);

        pass(TICKET_TTL.minusSeconds(1), here);
        assertThat(bob.waits()).isTrue();
        pass(Duration.ofSeconds(4), here);

        bob.granted();
    }

    @Test
    void aQueueOfTheDeadKeepsCallersThatAskOnceOutForNoLongerThanTwiceTheTicketTtl() {
        var dead = new Replica();
        var adas = dead.asksOnce(ADA).granted();
        dead.waits(BOB);
        dead.waits(CY);
        release(adas);
        var newcomer = new Replica();
        assertThat(newcomer.asksOnce(DORA).outcome()).isInstanceOf(ReservedForQueue.class);

        pass(TICKET_TTL.multipliedBy(2), newcomer);

        newcomer.asksOnce(DORA).granted();
    }

    /** The first one to be refused has the tickets removed for all replicas. */
    @Test
    void aQueueOfTheDeadIsClearedForAllReplicas() {
        var dead = new Replica();
        var adas = dead.asksOnce(ADA).granted();
        dead.waits(BOB);
        release(adas);
        var newcomer = new Replica();
        newcomer.asksOnce(DORA);
        pass(TICKET_TTL.multipliedBy(2), newcomer);

        new Replica().asksOnce(DORA).granted();
    }

    @Test
    void aQueueThatIsFullOfTheDeadHasRoomAgainWithinTwiceTheTicketTtl() {
        var dead = new Replica();
        dead.asksOnce(ADA).granted();
        IntStream.range(0, SETTINGS.queueMax()).forEach(i -> dead.waits(new Owner("w" + i)));
        var newcomer = new Replica();
        assertThat(newcomer.waits(DORA).outcome()).isInstanceOf(QueueFull.class);

        pass(TICKET_TTL.multipliedBy(2), newcomer);

        assertThat(newcomer.waits(DORA).waits()).isTrue();
    }

    @Test
    void whoAsksOnceAndOftenNeverPassesALivingQueue() {
        var there = new Replica();
        there.asksOnce(ADA).granted();
        var bob = there.waits(BOB);
        var here = new Replica();

        for (var i = 0; i < 60; i++) {
            // The lock is free, and the replica of the first in line confirms its ticket but does not come for it.
            store.put(store.record(name).endedAt(clock.instant()));
            assertThat(here.asksOnce(CY).outcome()).isInstanceOf(ReservedForQueue.class);
            store.put(new LockRecord(
                    store.record(name).lease().touched(),
                    store.record(name).token(),
                    Optional.empty(),
                    store.record(name).queue(),
                    LockRecord.Attempts.NONE));
            pass(Duration.ofMillis(400), here, there);
        }

        assertThat(bob.waits()).isTrue();
        assertThat(store.count(Call.EVICT)).isZero();
    }

    /** Each read for callers that asked once ends by itself. */
    @Test
    void aQueueIsReadNoMoreOnceItIsKnownThatItsReplicasAreAlive() {
        var there = new Replica();
        var adas = there.asksOnce(ADA).granted();
        there.waits(BOB);
        var here = new Replica();
        store.put(store.record(name).endedAt(clock.instant()));
        here.asksOnce(CY);
        store.put(LockRecord.held(adas).with(store.record(name).queue()));
        pass(Duration.ofSeconds(12), here, there);

        assertThat(here.timers.waiting()).isZero();
    }

    // Replicas that were taken for dead.

    @Test
    void theWaitersOfAReplicaThatWasTakenForDeadJoinAgainInTheirOrder() {
        var here = new Replica();
        var frozen = new Replica();
        var adas = here.asksOnce(ADA).granted();
        var first = frozen.waits(BOB);
        var second = frozen.waits(CY);
        var dora = here.waits(DORA);
        pass(TICKET_TTL.plusSeconds(10), here);
        await(store.renew(adas.ref(), Optional.empty(), clock.instant()));
        assertThat(store.record(name).queue().tickets())
                .extracting(Ticket::owner)
                .containsExactly(DORA);

        pass(Duration.ofSeconds(3), here, frozen);

        assertThat(store.record(name).queue().tickets())
                .extracting(Ticket::owner)
                .containsExactly(DORA, BOB, CY);
        release(adas);
        pass(Duration.ofSeconds(1), here, frozen);
        release(dora.granted());
        pass(Duration.ofSeconds(1), here, frozen);
        release(first.granted());
        pass(Duration.ofSeconds(1), here, frozen);
        second.granted();
    }
}

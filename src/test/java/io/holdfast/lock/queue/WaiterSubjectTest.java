package io.holdfast.lock.queue;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.present;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.SubjectFacts.Pair;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Only a waiter whose owner and subject hold the lock goes before the queue. */
class WaiterSubjectTest {
    private static final LockName NAME = new LockName("deploy");
    private static final Owner EVE = new Owner("eve");

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void onlyAWaiterOfTheSameSubjectIsAnsweredBeforeTheHeadOfTheQueue(Pair pair) {
        var eve = waiting(EVE);
        var asking = waiting(pair.asking());
        var held = AcquireRequest.once(new LeaseRef(NAME, LockId.random(), pair.stored()), TTL, Labels.NONE)
                .leaseAt(NOON, new FencingToken(7));
        var waiters = new OrderedWaiters();
        waiters.add(asking);
        waiters.add(eve);

        waiters.arrange(
                LockRecord.held(held).with(new WaitQueue(List.of(ticket(eve), ticket(asking)), Map.of())), NOON);

        assertThat(waiters.first()).isSameAs(pair.same() ? asking : eve);
        assertThat(asking.isHead()).isEqualTo(pair.same());
        assertThat(waiters.moveToFront(held.owner())).isEqualTo(pair.same());
    }

    private static Waiter waiting(Owner owner) {
        var request = AcquireRequest.once(new LeaseRef(NAME, LockId.random(), owner), TTL, Labels.NONE);
        return new Waiter(request.arriving(NOON, NOON.plus(TTL), present(NOON.plus(TTL))), null);
    }

    private static Ticket ticket(Waiter waiter) {
        var request = waiter.request();
        return new Ticket(request.id(), request.owner(), request.attempt(), new ReplicaId("r1"), NOON, NOON.plus(TTL));
    }
}

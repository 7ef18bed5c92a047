package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.atReplica;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.lookingAgain;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a store that several replicas share does with the tickets of a replica that is gone. */
public interface EvictionFacts {
    Instant DEADLINE = NOON.plusSeconds(300);
    Presence SEEN = new Presence(new ReplicaId("r1"), NOON.plusSeconds(15));
    Presence CONFIRMED = new Presence(SEEN.replica(), NOON.plusSeconds(20));

    LockStore locks();

    /** It came back between the look of another replica and this write. */
    @Test
    default void aReplicaThatHasConfirmedItsTicketsMeanwhileKeepsThem() {
        var name = queueOf(BOB, "r1", new Owner("cy"), "r2");
        await(locks().confirmTickets(name, CONFIRMED));
        var before = record(name);

        assertThat(await(locks().evict(name, List.of(SEEN)))).contains(before);
        assertThat(record(name)).isEqualTo(before);
    }

    @Test
    default void aReplicaThatHasTakenAnotherTicketMeanwhileKeepsBoth() {
        var name = queueOf(BOB, "r1", new Owner("cy"), "r2");
        await(locks().acquire(atReplica("r1", waits(new Owner("dora"), name, DEADLINE), CONFIRMED.until()), NOON));

        await(locks().evict(name, List.of(SEEN)));

        assertThat(record(name).queue().tickets()).hasSize(3);
    }

    @Test
    default void theTicketsOfAReplicaThatIsGoneAreRemovedAndTheOthersKeepTheirPlaces() {
        var name = queueOf(new Owner("w1"), "r1", BOB, "r2", new Owner("w2"), "r1", new Owner("cy"), "r3");

        var left = await(locks().evict(name, List.of(SEEN)));

        assertThat(left).contains(record(name));
        assertThat(record(name).queue().tickets()).extracting(Ticket::owner).containsExactly(BOB, new Owner("cy"));
        assertThat(record(name).queue().presence()).doesNotContainKey(SEEN.replica());
        assertThat(await(locks().evict(name, List.of(SEEN))))
                .as("nothing is left to remove")
                .isEqualTo(left);
    }

    @Test
    default void whoeverIsNextAfterTheTicketsOfAReplicaThatIsGoneIsGrantedTheLock() {
        var held = ((AcquireOutcome.Granted) await(locks().acquire(wants(ADA, aName()), NOON))).lease();
        joins(held.name(), new Owner("w1"), "r1");
        var bob = joins(held.name(), BOB, "r2");
        await(locks().release(held.ref(), NOON));
        await(locks().evict(held.name(), List.of(SEEN)));

        assertThat(await(locks().acquire(lookingAgain(bob), NOON))).isInstanceOf(AcquireOutcome.Granted.class);
    }

    /** Its callers wait on, and their replica asks for them when the store answers it again. */
    @Test
    default void aWaiterOfAReplicaThatWasTakenForGoneJoinsAgainAtTheEnd() {
        var held = ((AcquireOutcome.Granted) await(locks().acquire(wants(ADA, aName()), NOON))).lease();
        var first = joins(held.name(), new Owner("w1"), "r1");
        joins(held.name(), BOB, "r2");
        await(locks().evict(held.name(), List.of(SEEN)));

        assertThat(await(locks().acquire(lookingAgain(first), NOON)))
                .isInstanceOfSatisfying(AcquireOutcome.Queued.class, place -> assertThat(place.place())
                        .isOne());
        assertThat(await(locks().confirmTickets(held.name(), CONFIRMED))).contains(record(held.name()));
        assertThat(record(held.name()).queue().presence()).containsEntry(SEEN.replica(), CONFIRMED.until());
    }

    @Test
    default void nothingIsRemovedFromALockThatIsNotThere() {
        assertThat(await(locks().evict(aName(), List.of(SEEN)))).isEmpty();
    }

    @Test
    default void aReplicaConfirmsAllOfItsTicketsInAQueueAtOnce() {
        var name = queueOf(BOB, "r1", new Owner("cy"), "r2", new Owner("dora"), "r1");

        var kept = await(locks().confirmTickets(name, CONFIRMED));

        assertThat(kept).isEqualTo(Optional.of(record(name)));
        assertThat(record(name).queue().presence())
                .containsEntry(SEEN.replica(), CONFIRMED.until())
                .containsEntry(new ReplicaId("r2"), SEEN.until());
    }

    @Test
    default void aReplicaWithoutTicketsConfirmsNothing() {
        var name = queueOf(BOB, "r1");
        var before = record(name);
        var another = new Presence(new ReplicaId("r2"), DEADLINE);

        assertThat(await(locks().confirmTickets(name, another))).contains(before);
        assertThat(record(name)).isEqualTo(before);
        assertThat(await(locks().confirmTickets(aName(), another))).isEmpty();
    }

    private LockRecord record(LockName name) {
        return await(locks().find(name)).orElseThrow();
    }

    /** A held lock with a queue. */
    private LockName queueOf(Object... ownersAndReplicas) {
        var name = aName();
        await(locks().acquire(wants(ADA, name), NOON));
        for (var i = 0; i < ownersAndReplicas.length; i += 2) {
            joins(name, (Owner) ownersAndReplicas[i], (String) ownersAndReplicas[i + 1]);
        }
        return name;
    }

    private AcquireRequest joins(LockName name, Owner owner, String replica) {
        var request = atReplica(replica, waits(owner, name, DEADLINE), SEEN.until());
        assertThat(await(locks().acquire(request, NOON))).isInstanceOf(AcquireOutcome.Queued.class);
        return request;
    }
}

package io.holdfast.lock.history;

import io.holdfast.kernel.Subject;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import java.util.Optional;

/**
 * A subject without a lease and without the grant to force. It has read a lock, and sends requests with the owner string,
 * the lock_id and the token of its lease.
 */
final class Stranger {
    private static final Subject SUBJECT = new Subject("token:stranger");

    private final World world;

    Stranger(World world) {
        this.world = world;
    }

    void meddle(LockRecord seen) {
        var name = seen.name();
        var self = new Owner(seen.lease().owner().value(), Optional.of(SUBJECT));
        var lease = world.toldTo(self, seen.lease());
        world.note(self, "meddles with %s, token %s", name, seen.token());
        var network = world.network();
        switch (world.simulation().upTo(3)) {
            case 0 ->
                network.ask(network.any(), Requests.renew(lease), World.PATIENCE, reply -> {
                    if (reply instanceof Reply.Answer<Timestamped<RenewOutcome>> answer
                            && answer.value().answer() instanceof RenewOutcome.Renewed) {
                        world.oracle().violation("a stranger has renewed %s", seen.lease());
                    }
                });
            case 1 ->
                network.ask(network.any(), Requests.release(lease), World.PATIENCE, reply -> {
                    if (reply instanceof Reply.Answer<Timestamped<ReleaseOutcome>> answer
                            && answer.value().answer() instanceof ReleaseOutcome.Released) {
                        world.oracle().violation("a stranger has released %s", seen.lease());
                    }
                });
            default ->
                network.ask(
                        network.any(),
                        Requests.force(name, seen.token(), Optional.of(SUBJECT)),
                        World.PATIENCE,
                        reply -> {
                            if (reply instanceof Reply.Answer<Timestamped<ForceReleaseOutcome>> answer
                                    && answer.value().answer() instanceof ForceReleaseOutcome.Freed freed
                                    && freed.previous().isPresent()) {
                                world.oracle().violation("a stranger has forced %s", seen.lease());
                            }
                        });
        }
    }
}

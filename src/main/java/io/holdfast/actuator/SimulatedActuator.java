package io.holdfast.actuator;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.DatabaseId;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Simulates databases in the memory of this process, for the demo. They are running at first. Logs and details say that
 * they are simulated.
 */
final class SimulatedActuator {
    static final int DATABASES_MAX = 10_000;

    private static final Logger LOG = Logger.getLogger(SimulatedActuator.class);

    private final Duration duration;
    private final InstantSource clock;
    private final Map<DatabaseId, Order> orders = new LinkedHashMap<>();

    SimulatedActuator(Duration duration, InstantSource clock) {
        this.duration = duration;
        this.clock = clock;
    }

    private record Order(State during, State after, Instant done) {
        private static final Order NONE = new Order(State.RUNNING, State.RUNNING, Instant.MIN);

        State at(Instant now) {
            return now.isBefore(done) ? during : after;
        }
    }

    PowerSwitch of(DatabaseId database) {
        return new PowerSwitch() {
            @Override
            public Uni<Outcome> stop(long epoch) {
                return Uni.createFrom().item(() -> order(database, epoch, State.STOPPING, State.STOPPED));
            }

            @Override
            public Uni<Outcome> start(long epoch) {
                return Uni.createFrom().item(() -> order(database, epoch, State.STARTING, State.RUNNING));
            }

            @Override
            public Uni<Reading> state() {
                return Uni.createFrom().item(() -> new Reading(now(database), "simulated"));
            }
        };
    }

    private synchronized State now(DatabaseId database) {
        return orders.getOrDefault(database, Order.NONE).at(clock.instant());
    }

    private synchronized Outcome order(DatabaseId database, long epoch, State during, State after) {
        var now = clock.instant();
        var before = orders.getOrDefault(database, Order.NONE).at(now);
        LOG.infof(
                "Simulated order, no real database changed db=%s epoch=%d from=%s to=%s",
                database, epoch, before, after);
        if (before == during || before == after) {
            return new Outcome.Already();
        }
        if (before != State.RUNNING && before != State.STOPPED) {
            return new Outcome.Retry("simulated: still " + before);
        }
        if (orders.size() >= DATABASES_MAX && !orders.containsKey(database)) {
            return new Outcome.Refused("simulated: at most " + DATABASES_MAX + " databases can be simulated");
        }
        orders.put(database, new Order(during, after, now.plus(duration)));
        return new Outcome.Accepted();
    }
}

package io.holdfast.power;

import io.holdfast.power.Actuator.Reading;
import io.holdfast.power.Actuator.State;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;

/** Watches a database until it is what it should be, or time is up. */
@Singleton
class Verifier {
    private final Outside outside;
    private final PowerConfig config;
    private final InstantSource clock;
    private volatile boolean ended;

    Verifier(Outside outside, PowerConfig config, InstantSource clock) {
        this.outside = outside;
        this.config = config;
        this.clock = clock;
    }

    /** Nobody waits any longer: every watch ends with what it sees next. */
    void stop() {
        ended = true;
    }

    private boolean isOver(Instant until) {
        return ended || !clock.instant().isBefore(until);
    }

    /** The last state seen: the first that fits, or whatever it was when {@code until} came. */
    Uni<Reading> watch(Database database, Predicate<State> fits, Instant until) {
        return outside.actuator().state(database).chain(reading -> {
            if (fits.test(reading.state()) || isOver(until)) {
                return Uni.createFrom().item(reading);
            }
            return Uni.createFrom()
                    .voidItem()
                    .onItem()
                    .delayIt()
                    .by(config.pollEvery())
                    .chain(() -> watch(database, fits, until));
        });
    }

    /** Whether it takes connections before {@code until}. */
    Uni<Boolean> answers(Database database, Instant until) {
        return outside.answers().answers(database).chain(answers -> {
            if (answers || isOver(until)) {
                return Uni.createFrom().item(answers);
            }
            return Uni.createFrom()
                    .voidItem()
                    .onItem()
                    .delayIt()
                    .by(config.pollEvery())
                    .chain(() -> answers(database, until));
        });
    }
}

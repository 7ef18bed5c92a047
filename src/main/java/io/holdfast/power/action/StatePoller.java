package io.holdfast.power.action;

import io.holdfast.kernel.Pause;
import io.holdfast.power.model.PowerConfig;
import io.holdfast.power.port.Actuator;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.power.port.DatabaseAnswers;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Watches a database until it is what it should be, or time is up. */
@Singleton
public class StatePoller {
    private final Actuator actuator;
    private final DatabaseAnswers answers;
    private final PowerConfig config;
    private final InstantSource clock;
    private volatile boolean ended;

    public StatePoller(Actuator actuator, DatabaseAnswers answers, PowerConfig config, InstantSource clock) {
        this.actuator = actuator;
        this.answers = answers;
        this.config = config;
        this.clock = clock;
    }

    /** Nobody waits any longer: every watch ends with what it sees next. */
    public void stop() {
        ended = true;
    }

    private boolean isOver(Instant until) {
        return ended || !clock.instant().isBefore(until);
    }

    /** The last state seen: the first that fits, or the one at {@code until}. */
    Uni<Reading> poll(Database database, Predicate<State> fits, Instant until) {
        return poll(() -> actuator.state(database), reading -> fits.test(reading.state()), until);
    }

    /** Whether it takes connections before {@code until}. */
    Uni<Boolean> answers(Database database, Instant until) {
        return poll(() -> answers.answers(database), there -> there, until);
    }

    private <T> Uni<T> poll(Supplier<Uni<T>> read, Predicate<T> fits, Instant until) {
        return read.get().chain(seen -> {
            if (fits.test(seen) || isOver(until)) {
                return Uni.createFrom().item(seen);
            }
            return Pause.of(config.pollEvery()).chain(() -> poll(read, fits, until));
        });
    }
}

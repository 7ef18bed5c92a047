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

/** Polls a database until it reaches a state, or until a deadline. */
@Singleton
public class StatePoller {
    private final Actuator actuator;
    private final DatabaseAnswers answers;
    private final PowerConfig config;
    private final InstantSource clock;
    private volatile boolean stopped;

    public StatePoller(Actuator actuator, DatabaseAnswers answers, PowerConfig config, InstantSource clock) {
        this.actuator = actuator;
        this.answers = answers;
        this.config = config;
        this.clock = clock;
    }

    /** Ends all polls: each returns its next reading. */
    public void stop() {
        stopped = true;
    }

    private boolean isOver(Instant until) {
        return stopped || !clock.instant().isBefore(until);
    }

    /** Returns the first reading that matches, or the first one after {@code until}. Reads at least once. */
    Uni<Reading> poll(Database database, Predicate<State> matches, Instant until) {
        return poll(() -> actuator.state(database), reading -> matches.test(reading.state()), until);
    }

    /** Whether the database accepts connections before {@code until}. */
    Uni<Boolean> answers(Database database, Instant until) {
        return poll(() -> answers.answers(database), accepted -> accepted, until);
    }

    private <T> Uni<T> poll(Supplier<Uni<T>> read, Predicate<T> matches, Instant until) {
        return read.get().chain(seen -> {
            if (matches.test(seen) || isOver(until)) {
                return Uni.createFrom().item(seen);
            }
            return Pause.of(config.pollEvery()).chain(() -> poll(read, matches, until));
        });
    }
}

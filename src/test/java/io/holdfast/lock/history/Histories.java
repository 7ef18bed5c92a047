package io.holdfast.lock.history;

import static org.assertj.core.api.Assertions.fail;

import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** Plays many histories of one profile, and fails with the seed and the journal of the first that goes wrong. */
final class Histories implements AutoCloseable {
    /** More histories than a build has time for: {@code -Dhistories.factor=100}. */
    private static final int FACTOR = Integer.getInteger("histories.factor", 1);

    private static final String ONE_SEED = "histories.seed";

    /** Whether to go on after a violation, and to print one line for each. */
    private static final boolean SURVEY = Boolean.getBoolean("histories.survey");

    private static final int JOURNAL_LINES_MAX = Integer.getInteger("histories.lines", 150);

    private final SimulatedScheduler scheduler = SimulatedScheduler.install();
    private final Logger log = Logger.getLogger("io.holdfast");
    private final Level levelBefore = log.getLevel();

    Histories() {
        log.setLevel(Level.OFF);
    }

    void play(int count, Profile profile, Function<StoreNetwork, Backend> backend) {
        var only = Long.getLong(ONE_SEED);
        if (only != null) {
            play(only, profile, backend);
            return;
        }
        for (long seed = 1; seed <= (long) count * FACTOR; seed++) {
            play(seed, profile, backend);
        }
    }

    private void play(long seed, Profile profile, Function<StoreNetwork, Backend> backend) {
        var history = new History(profile, seed, backend);
        var violation = history.play();
        if (SURVEY) {
            violation.ifPresent(sentence -> System.out.printf("SURVEY seed %d: %s%n", seed, sentence));
            return;
        }
        violation.ifPresent(sentence -> fail(
                "Seed %d: %s%n%s",
                seed,
                sentence,
                history.journal().stream()
                        .skip(Math.max(0, history.journal().size() - JOURNAL_LINES_MAX))
                        .collect(Collectors.joining(System.lineSeparator()))));
    }

    @Override
    public void close() {
        log.setLevel(levelBefore);
        scheduler.close();
    }
}

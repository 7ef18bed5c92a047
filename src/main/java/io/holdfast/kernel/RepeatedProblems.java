package io.holdfast.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which occurrences of a lasting problem are logged: the first one, then repeats at intervals that double up to
 * {@link #INTERVAL_MAX}, and the end. Thread-safe. Remembers {@link #PROBLEMS_MAX} problems. The oldest one is
 * forgotten, and reported as new if it occurs again.
 *
 * @param <K> identifies a problem, such as a database
 */
public final class RepeatedProblems<K> {
    public static final Duration INTERVAL_FIRST = Duration.ofMinutes(1);
    public static final Duration INTERVAL_MAX = Duration.ofHours(1);
    static final int PROBLEMS_MAX = 1000;

    private final Map<K, Problem> problems = new LinkedHashMap<>(16, 0.75f, true);

    private record Problem(Instant since, Instant last, long times, Reported reported) {}

    private record Reported(String text, Instant at, Duration nextAfter) {}

    /**
     * @param times how often the problem has occurred, this time included
     */
    public record Report(long times, Instant since) {
        public boolean isFirst() {
            return times == 1;
        }

        /** Is appended to the log line; empty for the first occurrence. */
        public String suffix() {
            return isFirst() ? "" : " times=" + times + " since=" + since;
        }
    }

    public record Ended(long times, Duration lasted) {}

    /**
     * Records an occurrence. A text that differs from the last reported one is reported too, but at most once per
     * {@link #INTERVAL_FIRST}.
     */
    public synchronized Optional<Report> occurred(K key, String text, Instant now) {
        var before = problems.get(key);
        if (before == null || before.last().plus(INTERVAL_MAX.multipliedBy(2)).isBefore(now)) {
            problems.put(key, new Problem(now, now, 1, new Reported(text, now, INTERVAL_FIRST)));
            forgetOldest();
            return Optional.of(new Report(1, now));
        }
        var times = before.times() + 1;
        var reported = next(before.reported(), text, now);
        problems.put(key, new Problem(before.since(), now, times, reported.orElse(before.reported())));
        return reported.map(written -> new Report(times, before.since()));
    }

    private static Optional<Reported> next(Reported last, String text, Instant now) {
        var same = text.equals(last.text());
        var due = last.at().plus(same ? last.nextAfter() : INTERVAL_FIRST);
        if (now.isBefore(due)) {
            return Optional.empty();
        }
        var longer = last.nextAfter().multipliedBy(2);
        var after = Durations.min(longer, INTERVAL_MAX);
        return Optional.of(new Reported(text, now, same ? after : INTERVAL_FIRST));
    }

    private void forgetOldest() {
        if (problems.size() > PROBLEMS_MAX) {
            problems.remove(problems.keySet().iterator().next());
        }
    }

    /** Records the end of the problem. Empty if there was none. */
    public synchronized Optional<Ended> ended(K key, Instant now) {
        return Optional.ofNullable(problems.remove(key))
                .map(problem -> new Ended(problem.times(), Duration.between(problem.since(), now)));
    }
}

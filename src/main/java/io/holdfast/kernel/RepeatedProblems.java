package io.holdfast.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which occurrences of a lasting problem deserve a log line: the first one, then repeats at intervals that
 * double up to {@link #INTERVAL_MAX}, and the end. Thread-safe. Remembers at most {@link #PROBLEMS_MAX} problems; a
 * problem beyond that is taken for a new one.
 *
 * @param <K> what tells one problem from another, such as a database
 */
public final class RepeatedProblems<K> {
    public static final Duration INTERVAL_FIRST = Duration.ofMinutes(1);
    public static final Duration INTERVAL_MAX = Duration.ofHours(1);
    static final int PROBLEMS_MAX = 1000;

    private final Map<K, Problem> problems = new LinkedHashMap<>(16, 0.75f, true);

    private record Problem(Instant since, Instant last, long times, Reported reported) {}

    private record Reported(String text, Instant at, Duration nextAfter) {}

    /**
     * A line to write.
     *
     * @param times how often the problem has occurred, this time included
     */
    public record Report(long times, Instant since) {
        public boolean isFirst() {
            return times == 1;
        }

        /** To be appended to the line: nothing for the first one. */
        public String suffix() {
            return isFirst() ? "" : " times=" + times + " since=" + since;
        }
    }

    /** A problem that is over. */
    public record Ended(long times, Duration lasted) {}

    /**
     * Notes that the problem has occurred. Another text than the one reported last is reported as well, but not more
     * often than once in {@link #INTERVAL_FIRST}.
     */
    public synchronized Optional<Report> occurred(K key, String text, Instant now) {
        var before = problems.get(key);
        if (before == null || before.last().plus(INTERVAL_MAX.multipliedBy(2)).isBefore(now)) {
            problems.put(key, new Problem(now, now, 1, new Reported(text, now, INTERVAL_FIRST)));
            forgetTheOldest();
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

    private void forgetTheOldest() {
        if (problems.size() > PROBLEMS_MAX) {
            problems.remove(problems.keySet().iterator().next());
        }
    }

    /** Notes that the problem is over. Empty if there was none. */
    public synchronized Optional<Ended> ended(K key, Instant now) {
        return Optional.ofNullable(problems.remove(key))
                .map(problem -> new Ended(problem.times(), Duration.between(problem.since(), now)));
    }
}

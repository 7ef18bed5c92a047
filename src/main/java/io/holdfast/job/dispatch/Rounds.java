package io.holdfast.job.dispatch;

import io.holdfast.job.port.JobStore.Section;
import io.holdfast.kernel.Timers;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * When a replica looks for due work, and into which sections of the index. One round is carried out at a time. A round
 * begins
 *
 * <ul>
 *   <li>when this replica writes a job that a waiting worker can claim,
 *   <li>when a worker asks, unless its sections were looked into a moment ago and had nothing left,
 *   <li>and every {@code pollEvery} while workers wait, for the jobs that other replicas write.
 * </ul>
 */
final class Rounds {
    /** @param sections where to look */
    record Round(Set<Section> sections) {}

    private final Duration pollEvery;
    private final Timers timers;
    private final InstantSource clock;
    private final Supplier<Set<Section>> wanted;
    private final Function<Round, Uni<Void>> carryOut;

    private final Set<Section> requested = new HashSet<>();
    /** Sections that had work for which no worker was waiting. */
    private final Set<Section> left = new HashSet<>();

    private final Map<Section, Instant> lookedAt = new HashMap<>();
    private boolean inRound;
    private boolean pollScheduled;

    /**
     * @param wanted the sections that waiting workers are interested in
     * @param carryOut never fails
     */
    Rounds(
            Duration pollEvery,
            Timers timers,
            InstantSource clock,
            Supplier<Set<Section>> wanted,
            Function<Round, Uni<Void>> carryOut) {
        this.pollEvery = pollEvery;
        this.timers = timers;
        this.clock = clock;
        this.wanted = wanted;
        this.carryOut = carryOut;
    }

    /** Looks into these sections, at once or after the present round. */
    void request(Collection<Section> sections) {
        synchronized (this) {
            requested.addAll(sections);
            if (inRound || requested.isEmpty()) {
                return;
            }
            inRound = true;
        }
        run();
    }

    /** Looks into those of these sections that may have work; the others were looked into a moment ago. */
    void requestIfNeeded(Collection<Section> sections) {
        Set<Section> needed = new HashSet<>(sections);
        synchronized (this) {
            var recently = clock.instant().minus(pollEvery);
            needed.removeIf(section -> !left.contains(section)
                    && lookedAt.getOrDefault(section, Instant.MIN).isAfter(recently));
        }
        request(needed);
        schedulePoll();
    }

    /** This replica has written work that can be claimed. */
    void appeared(Section section, boolean isAccepted) {
        left(section);
        if (isAccepted) {
            request(Set.of(section));
        }
    }

    synchronized void left(Section section) {
        left.add(section);
    }

    synchronized boolean isRequested(Collection<Section> sections) {
        return !Collections.disjoint(requested, sections);
    }

    /** Carries out rounds until one does not complete at once. That one goes on here when it completes. */
    private void run() {
        var more = true;
        while (more) {
            var handedOver = new AtomicBoolean();
            carryOut.apply(next()).subscribe().with(done -> {
                if (!handedOver.compareAndSet(false, true) && continues()) {
                    run();
                }
            });
            more = !handedOver.compareAndSet(false, true) && continues();
        }
    }

    private synchronized Round next() {
        var sections = Set.copyOf(requested);
        requested.clear();
        left.removeAll(sections);
        var now = clock.instant();
        sections.forEach(section -> lookedAt.put(section, now));
        return new Round(sections);
    }

    private boolean continues() {
        boolean more;
        synchronized (this) {
            // Read here: a worker that arrives now has either requested its sections before, and is seen, or finds the
            // round
            // over, and begins the next one.
            more = !Collections.disjoint(requested, wanted.get());
            if (!more) {
                // No worker waits for them. The next worker that does looks into them.
                left.addAll(requested);
                requested.clear();
            }
            inRound = more;
        }
        if (!more) {
            schedulePoll();
        }
        return more;
    }

    private void schedulePoll() {
        var waitedFor = wanted.get();
        synchronized (this) {
            if (pollScheduled || waitedFor.isEmpty()) {
                return;
            }
            pollScheduled = true;
        }
        timers.after(pollEvery, this::poll);
    }

    private void poll() {
        synchronized (this) {
            pollScheduled = false;
        }
        request(wanted.get());
        schedulePoll();
    }
}

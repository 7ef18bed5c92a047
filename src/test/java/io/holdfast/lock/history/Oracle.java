package io.holdfast.lock.history;

import io.holdfast.lock.TestLimits;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Judges a history by what clients asked and were told. */
final class Oracle {
    /** A replica whose clock is ahead of another's calls a lease expired this much earlier, and may. */
    private static final Duration SKEW = TestLimits.DEFAULT.config().maxClockSkew();

    private static final Set<LeaseLoss.Cause> MUST_BE_EXPLAINED =
            Set.of(LeaseLoss.Cause.RELEASED, LeaseLoss.Cause.EXPIRED, LeaseLoss.Cause.FORCED);

    private final Simulation simulation;
    private final Map<LockName, List<Reliance>> reliances = new HashMap<>();
    private final Map<LockName, List<Told>> told = new HashMap<>();
    private final Map<Forced, Integer> forced = new HashMap<>();
    private final List<Waiting> queue = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /** A client heard of a grant, a renewal or a force release. */
    private record Told(Instant at, long token, Owner owner, LockId id) {
        boolean isOf(Lease lease) {
            return owner.equals(lease.owner()) && id.equals(lease.id());
        }
    }

    private record Forced(LockName name, long token) {}

    Oracle(Simulation simulation) {
        this.simulation = simulation;
    }

    List<String> violations() {
        return violations;
    }

    void violation(String format, Object... facts) {
        var sentence = format.formatted(facts);
        violations.add(sentence);
        simulation.note("VIOLATION: %s", sentence);
    }

    /**
     * A client was told that it holds a lock.
     *
     * @param sent when its request left
     * @param deadline until when it may rely on it
     */
    Reliance granted(Lease lease, Instant sent, Instant deadline) {
        var reliance = new Reliance(lease, deadline);
        checkNobodyElse(lease, deadline);
        checkToken(lease, sent);
        reliances.computeIfAbsent(lease.name(), any -> new ArrayList<>()).add(reliance);
        return reliance;
    }

    /** A client was told that its lease goes on: by a renewal or a heartbeat that named its token, or by a tick. */
    void prolonged(Reliance reliance, Lease lease, Instant sent, Instant deadline) {
        checkNobodyElse(lease, deadline);
        checkToken(lease, sent);
        if (lease.token().value() != reliance.token()) {
            heldInBetween(reliance, lease)
                    .ifPresent(other -> violation(
                            "%s relied on %s with token %d and was told that it goes on, with token %s, though %s held it"
                                    + " in between with token %d",
                            reliance.owner(),
                            reliance.name(),
                            reliance.token(),
                            lease.token(),
                            other.owner(),
                            other.token()));
        }
        reliance.prolong(lease, deadline);
    }

    /**
     * A client that relies on a lock asked for it again, and was told that it has it. With another token than before it
     * knows that it had lost the lock in between.
     */
    Reliance again(Reliance before, Lease lease, Instant sent, Instant deadline) {
        if (lease.token().value() == before.token()) {
            prolonged(before, lease, sent, deadline);
            return before;
        }
        if (reliesOn(before, simulation.now().plus(SKEW))) {
            violation(
                    "%s relies on %s with token %d for %d ms more, and is told a second token: %s",
                    before.owner(),
                    before.name(),
                    before.token(),
                    Duration.between(simulation.now(), before.deadline()).toMillis(),
                    lease.token());
        }
        before.end(Reliance.End.TOLD);
        return granted(lease, sent, deadline);
    }

    private Optional<Told> heldInBetween(Reliance reliance, Lease lease) {
        return told.getOrDefault(lease.name(), List.of()).stream()
                .filter(other -> !other.owner().equals(lease.owner()))
                .filter(other -> other.token() > reliance.token()
                        && other.token() < lease.token().value())
                .findFirst();
    }

    private void checkNobodyElse(Lease lease, Instant deadline) {
        var now = simulation.now();
        if (!now.isBefore(deadline) || isForced(lease)) {
            return;
        }
        reliances.getOrDefault(lease.name(), List.of()).stream()
                .filter(other -> !other.owner().equals(lease.owner()))
                .filter(other -> reliesOn(other, now))
                .findFirst()
                .ifPresent(other -> violation(
                        "two owners rely on %s: %s is told token %s while %s relies on token %d for %d ms more",
                        lease.name(),
                        lease.owner(),
                        lease.token(),
                        other.owner(),
                        other.token(),
                        Duration.between(now, other.deadline()).toMillis()));
    }

    private boolean reliesOn(Reliance reliance, Instant now) {
        return reliance.isLive(now) && !isForced(reliance.lease());
    }

    /** Its holder hears of that when its replica does. */
    private boolean isForced(Lease lease) {
        return forced.containsKey(new Forced(lease.name(), lease.token().value()));
    }

    /** An answer tells of no older grant than was told to anyone before its request left. */
    private void checkToken(Lease lease, Instant sent) {
        var token = lease.token().value();
        var known = told.computeIfAbsent(lease.name(), any -> new ArrayList<>());
        known.stream()
                .filter(earlier -> !earlier.at().isAfter(sent) && !isForced(lease))
                .filter(earlier -> earlier.token() > token || earlier.token() == token && !earlier.isOf(lease))
                .findFirst()
                .ifPresent(earlier -> violation(
                        "tokens of %s do not rise: %s is told %d after %s was told %d",
                        lease.name(), lease.owner(), token, earlier.owner(), earlier.token()));
        known.add(new Told(simulation.now(), token, lease.owner(), lease.id()));
    }

    /** A client begins to wait for a lock. */
    void waits(Waiting waiting) {
        queue.add(waiting);
    }

    /** A client that waited was answered, or lost its connection. */
    void waitsNoMore(Waiting waiting) {
        queue.remove(waiting);
    }

    /** A client that looked at a lock was shown who waits for it. */
    void shownInQueue(LockName name, Owner owner, LockId id) {
        queue.stream()
                .filter(waiting -> waiting.isOf(name, owner, id))
                .forEach(waiting -> waiting.shown(simulation.now()));
    }

    /**
     * A client was granted a lock.
     *
     * @param asked when it asked for it first
     */
    void checkTurn(Lease lease, Instant asked) {
        queue.stream()
                .filter(waiting -> waiting.isBefore(lease.name(), lease.owner(), asked, simulation.now()))
                .findFirst()
                .ifPresent(waiting -> violation(
                        "%s is granted %s, though %s was shown in the queue before it asked, and still waits",
                        lease.owner(), lease.name(), waiting.owner()));
    }

    /** A client that relies on a lease was told that it does not hold it. */
    void refused(Reliance reliance, String request) {
        if (reliesOn(reliance, simulation.now().plus(SKEW))) {
            violation(
                    "%s relies on %s with token %d for %d ms more, and is refused its %s",
                    reliance.owner(),
                    reliance.name(),
                    reliance.token(),
                    Duration.between(simulation.now(), reliance.deadline()).toMillis(),
                    request);
        }
    }

    /** A connection that holds a lock was told that it is lost. */
    void lost(Reliance reliance, LeaseLoss loss, Replica by) {
        if (MUST_BE_EXPLAINED.contains(loss.cause())
                && !by.clockIsWild()
                && reliesOn(reliance, simulation.now().plus(SKEW))) {
            violation(
                    "%s relies on %s with token %d for %d ms more, and is told that it is lost: %s",
                    reliance.owner(),
                    reliance.name(),
                    reliance.token(),
                    Duration.between(simulation.now(), reliance.deadline()).toMillis(),
                    loss);
        }
    }

    /**
     * A client's first release of a lease was refused.
     *
     * @param relied whether it relied on it when it sent the release
     */
    void releaseRefused(Reliance reliance, boolean relied) {
        if (relied && !isForced(reliance.lease()) && simulation.now().isBefore(reliance.deadline())) {
            violation(
                    "%s relied on %s with token %d when it released it, and is answered that it does not hold it",
                    reliance.owner(), reliance.name(), reliance.token());
        }
    }

    /** A lock was shown as released to a client that asked about it at that time. */
    void shownAsReleased(LockName name, Instant sent) {
        reliances.getOrDefault(name, List.of()).stream()
                .filter(reliance -> reliesOn(reliance, simulation.now()))
                .filter(reliance -> since(reliance).isBefore(sent))
                .findFirst()
                .ifPresent(reliance -> violation(
                        "%s is shown as released while %s relies on it with token %d",
                        name, reliance.owner(), reliance.token()));
    }

    private Instant since(Reliance reliance) {
        return told.get(reliance.name()).stream()
                .filter(word -> word.token() == reliance.token())
                .map(Told::at)
                .findFirst()
                .orElseThrow();
    }

    /** An administrator takes a lock from whoever relies on this token. */
    Set<Reliance> forcing(LockName name, FencingToken seen) {
        var now = simulation.now();
        var victims = new HashSet<Reliance>();
        reliances.getOrDefault(name, List.of()).stream()
                .filter(reliance -> reliance.token() == seen.value() && reliesOn(reliance, now))
                .forEach(victims::add);
        forced.merge(new Forced(name, seen.value()), 1, Integer::sum);
        return victims;
    }

    /**
     * A force release was refused: the token had changed, or the lock was free.
     *
     * @param victims who relied on the token when it was sent
     */
    void forceRefused(LockName name, FencingToken seen, Set<Reliance> victims) {
        var once = forced.get(new Forced(name, seen.value())) == 1;
        victims.stream()
                .filter(victim -> once && !victim.endedByItself())
                .filter(victim -> simulation.now().isBefore(victim.deadline()))
                .findFirst()
                .ifPresent(victim -> violation(
                        "a force release of %s with token %s is refused, though %s relied on that token when it was sent"
                                + " and did not release it",
                        name, seen, victim.owner()));
    }
}

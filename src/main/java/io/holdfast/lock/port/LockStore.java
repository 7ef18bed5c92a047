package io.holdfast.lock.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the locks, by the {@link LockRules}.
 *
 * <p>Each method is one atomic step in one order of events per lock, and is durable before its answer. Outcomes are
 * answers; only {@link io.holdfast.kernel.StoreUnavailableException} and programmer errors are failures. Nothing happens
 * before subscription. {@code now} is when the caller asked; an answer that takes longer only promises less.
 *
 * <p>Not promised: an order of listing, or that a listing is a snapshot. A lock that is there throughout a listing is in
 * it once.
 */
public interface LockStore {
    Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now);

    /**
     * Takes back what one attempt of a request left behind: its place in line, or the lease that it was granted if no other
     * attempt was told of that lease. What belongs to a later attempt is left alone.
     */
    Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now);

    /** Confirms a replica's tickets in the queue of a lock; answers with the record as it is then. */
    Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence);

    /**
     * Removes the tickets of replicas that are gone from the queue of a lock; answers with the record as it is then. A
     * replica whose presence is another one by now keeps its tickets.
     *
     * <p>A store that only one process uses changes nothing here and in {@link #confirmTickets}: all tickets are its own.
     *
     * @param gone as they were observed
     */
    Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone);

    Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now);

    Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now);

    /**
     * A renewal by a caller who relies on the lease from then on.
     *
     * @param ttl the new duration; the lease's own if none
     */
    default Uni<RenewOutcome> renew(LeaseRef lease, Optional<Duration> ttl, Instant now) {
        return renew(LeaseClaim.of(lease), new Renewal(ttl, Optional.of(AttemptId.random())), now);
    }

    default Uni<ReleaseOutcome> release(LeaseRef lease, Instant now) {
        return release(LeaseClaim.of(lease), now);
    }

    Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now);

    Uni<Optional<LockRecord>> find(LockName name);

    Uni<Page<LockRecord>> list(LockQuery query, Instant now);

    /**
     * Looks at no more records than the bounds say and deletes the expendable ones among them, each only if it still is
     * what was seen.
     */
    Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now);

    /**
     * @param limit the most records looked at
     * @param staleAfter how long ago a lease must have run out to be counted as stale
     */
    record SweepBounds(int limit, Duration staleAfter) {}

    /**
     * @param seen what the records looked at are like, but for the expendable ones; none if the store does not trust the
     *     clock, and looked at nothing
     * @param next where to go on; none when the end was reached
     */
    record SweepStep(int purged, Optional<LockStatistics> seen, Optional<Cursor> next) {}
}

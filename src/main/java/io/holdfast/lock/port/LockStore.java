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
 * Stores the locks, and applies the {@link LockRules} to every change.
 *
 * <p>Each method is one atomic step. The steps of one lock are totally ordered, and each is durable before its answer.
 * A refusal is an outcome; a failure is a {@link io.holdfast.kernel.StoreUnavailableException} or a programming error.
 * Nothing happens before subscription. {@code now} is the time of the request, so a slow answer leaves less of the
 * lease.
 *
 * <p>Not promised: an order of listing, or that a listing is a snapshot. A lock that exists throughout a listing is in
 * it exactly once.
 */
public interface LockStore {
    Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now);

    /**
     * Removes the ticket of an attempt, or releases the lease that it was granted if no other attempt was answered with
     * that lease. Tickets and leases of a later attempt are not changed.
     */
    Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now);

    /** Confirms a replica's tickets in the queue of a lock. Answers with the record after that. */
    Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence);

    /**
     * Removes the tickets of replicas that are gone from the queue of a lock. Answers with the record after that. A
     * replica whose presence has changed since keeps its tickets.
     *
     * <p>A store that only one process uses changes nothing here and in {@link #confirmTickets}: all tickets are its
     * own.
     *
     * @param gone the presences as they were observed
     */
    Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone);

    Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now);

    Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now);

    /**
     * A renewal by a caller, which relies on the lease from then on.
     *
     * @param ttl the new TTL; if absent, it stays the same
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
     * Examines records up to the limit and purges the expendable ones among them. Each deletion is conditional on the
     * record that was read.
     */
    Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now);

    /**
     * @param limit the most records examined
     * @param staleAfter how long ago a lease must have expired to count as stale
     */
    record SweepBounds(int limit, Duration staleAfter) {}

    /**
     * @param seen the statistics of the records that were examined and not purged; absent if the local clock is
     *     suspect, so that the store examined nothing
     * @param next where the next step starts; absent at the end
     */
    record SweepStep(int purged, Optional<LockStatistics> seen, Optional<Cursor> next) {}
}

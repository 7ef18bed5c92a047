package io.holdfast.power.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps what was decided about databases, and why.
 *
 * <p>Each method is one atomic step, durable before its answer. A method that names an epoch or versions changes nothing
 * unless they still are what was seen, and says so by {@code false}.
 */
public interface PowerStore {
    /** One strongly consistent read; its cost depends on the database's sharers alone. */
    Uni<Optional<DatabaseSnapshot>> snapshot(DatabaseId id);

    /** Notes that the app wants the database stopped; false if there is no such database. */
    Uni<Boolean> requestStop(DatabaseId id, AppName app, Instant now);

    /** Notes that the app needs the database; no stop that has not seen this can be committed any more. */
    Uni<Boolean> claimStart(DatabaseId id, AppName app, Instant until, Instant now);

    /**
     * Lets the app's hold end at {@code until} instead, provided that the hold is as in {@code seen}. A stop request of
     * the app that came since is kept.
     */
    Uni<Boolean> extendClaim(DatabaseSnapshot seen, AppName app, Instant until);

    /** Drops what these apps had asked for in {@code seen}, unless links or what they ask for have changed since. */
    Uni<Void> forget(DatabaseSnapshot seen, Set<AppName> apps);

    /** Begins a new epoch, provided that no link, hold, epoch or actuator has changed since {@code seen}. */
    Uni<Boolean> commit(DatabaseSnapshot seen, Phase phase, Instant now);

    /** Says how an epoch went on, provided that it is still the present one. */
    Uni<Boolean> settle(DatabaseId id, long epoch, Phase phase, Instant since);

    /** Databases about which something may be left to do; {@link #tidy} takes them off when nothing is. */
    Uni<Page<DatabaseId>> pending(int limit, Optional<Cursor> after, Instant now);

    /** Takes the database off the unsettled ones, unless something is left to do about it. */
    Uni<Void> tidy(DatabaseId id, Instant now);

    /** Keeps the decision until {@code until}, at the least. */
    Uni<Void> record(Decision decision, Instant until);

    /** The newest first. */
    Uni<Page<Decision>> decisions(DatabaseId id, int limit, Optional<Cursor> after);

    Uni<Brake> brake();

    Uni<Void> pause(Optional<String> reason);

    /** Counts one more stop, unless stops are paused or {@code max} were counted in the hour before {@code now}. */
    Uni<Brake.Permit> permitStop(int max, Instant now);

    /** Takes back the count of a stop that nothing came of. Never fails: what cannot be taken back stays counted. */
    Uni<Void> returnPermit(Brake.Permit.Granted permit);
}

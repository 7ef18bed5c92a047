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
 * Stores power states and decisions.
 *
 * <p>Each method is one atomic step, durable before it completes. A method with an epoch or a snapshot is conditional:
 * if the stored one differs, it changes nothing and returns {@code false}.
 */
public interface PowerStore {
    /** One strongly consistent read. Its cost depends only on the number of sharers. */
    Uni<Optional<DatabaseSnapshot>> snapshot(DatabaseId id);

    /** Adds a stop request. False if there is no such database. */
    Uni<Boolean> requestStop(DatabaseId id, AppName app, Instant now);

    /** Adds a start claim. A stop that was decided before can no longer be committed. */
    Uni<Boolean> claimStart(DatabaseId id, AppName app, Instant until, Instant now);

    /**
     * Extends the app's start claim to {@code until}, if the claim is as in {@code seen}. A later stop request of the
     * app is kept.
     */
    Uni<Boolean> extendClaim(DatabaseSnapshot seen, AppName app, Instant until);

    /** Removes the intents of these apps, if links and intents are as in {@code seen}. */
    Uni<Void> forget(DatabaseSnapshot seen, Set<AppName> apps);

    /** Begins a new epoch, if links, start claims, epoch and actuator are as in {@code seen}. */
    Uni<Boolean> commit(DatabaseSnapshot seen, Phase phase, Instant now);

    /** Sets the phase of an epoch, if it is the current one. */
    Uni<Boolean> settle(DatabaseId id, long epoch, Phase phase, Instant since);

    /** Databases that may be pending. {@link #tidy} removes those that are not. */
    Uni<Page<DatabaseId>> pending(int limit, Optional<Cursor> after, Instant now);

    /** Removes the database from the pending ones, unless it is pending. */
    Uni<Void> tidy(DatabaseId id, Instant now);

    /** Stores the decision at least until {@code until}. */
    Uni<Void> record(Decision decision, Instant until);

    /** Newest first. */
    Uni<Page<Decision>> decisions(DatabaseId id, int limit, Optional<Cursor> after);

    Uni<Brake> brake();

    Uni<Void> pause(Optional<String> reason);

    /** Counts a stop, unless stops are paused or {@code max} were counted in the hour before {@code now}. */
    Uni<Brake.Permit> permitStop(int max, Instant now);

    /** Uncounts a stop that was not carried out. Never fails: if the store fails, the stop stays counted. */
    Uni<Void> returnPermit(Brake.Permit.Granted permit);
}

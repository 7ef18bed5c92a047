package io.holdfast.lifecycle.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores services, their history, and a feed of the moves of all services.
 *
 * <p>Each change is one atomic step, durable before it completes. Reads are strongly consistent unless they say
 * otherwise. A failure is a {@link io.holdfast.kernel.StoreUnavailableException} or a programming error. Nothing happens
 * before subscription.
 *
 * <p>The feed is divided into {@link #SHARDS} parts. Each move is added to the part of its service, with the next number
 * of that part, in the same step that changes the service. So a reader that has read a number has read all moves with
 * lower ones, and a gap means that moves have been deleted.
 */
public interface LifecycleStore {
    Uni<Optional<Service>> find(ServiceId id);

    /**
     * Writes the service, the row of its history and the entry of the feed. False, and nothing is written, if the stored
     * service has another version than {@code change.before()}, exists although that is absent, or does not exist. Also
     * false if the history has a row of the same version, from an earlier service with this id.
     *
     * <p>A move does not write the spec: {@link #replaceSpec} may have replaced it meanwhile.
     *
     * @param until the row and the entry may be deleted after this time
     */
    Uni<Boolean> commit(StatusChange change, Instant until);

    /** Replaces the spec, and changes neither status nor version. The service after it; empty if there is none. */
    Uni<Optional<Service>> replaceSpec(ServiceId id, ServiceSpec spec);

    /** Ordered by id. */
    Uni<Page<Service>> list(ServiceQuery query);

    /** Services of one part, for the reconciler. May return an earlier version of a service. */
    Uni<Page<Service>> shard(int shard, int limit, Optional<Cursor> after);

    /** Newest first. Rows are kept when a service is removed, and continue if it is registered again. */
    Uni<Page<Move>> history(ServiceId id, int limit, Optional<Cursor> after);

    /** The position after the last move. */
    Uni<FeedPosition> feedEnd();

    /** Moves of one part of the feed after {@code sequence}, the oldest first. */
    Uni<List<FeedEntry>> feed(int shard, long sequence, int limit);

    /** The reason for which the reconciler is paused; empty if it is not. */
    Uni<Optional<String>> pause();

    /** @param reason empty to end the pause */
    Uni<Void> setPause(Optional<String> reason);

    /** False while the local clock is suspect. Then no deadline may be treated as over. */
    boolean trustsClock();

    /** Services and the feed are divided, so that writers do not all meet at one place. */
    int SHARDS = 4;

    static int shardOf(ServiceId id) {
        return Math.floorMod(id.value().hashCode(), SHARDS);
    }
}

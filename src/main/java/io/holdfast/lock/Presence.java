package io.holdfast.lock;

import java.time.Instant;

/**
 * A replica's word that its waiters are still there. A replica that dies stops giving it, so its tickets end soon, and not
 * only when its callers would have given up.
 *
 * @param until from then on the replica's tickets are skipped, unless it gave its word again
 */
public record Presence(ReplicaId replica, Instant until) {}

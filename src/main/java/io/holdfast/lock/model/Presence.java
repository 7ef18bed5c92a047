package io.holdfast.lock.model;

import java.time.Instant;

/**
 * A replica's confirmation that its waiters are still there. A replica that dies stops confirming, so the others remove its
 * tickets soon, and not only at their deadlines: see {@link io.holdfast.lock.queue.PresenceObserver}.
 *
 * @param until changes with each confirmation. It is a time only for those who look at the record: no replica compares it
 *     with its clock
 */
public record Presence(ReplicaId replica, Instant until) {}

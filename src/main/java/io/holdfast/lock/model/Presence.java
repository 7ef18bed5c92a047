package io.holdfast.lock.model;

import java.time.Instant;

/**
 * A replica's confirmation that its waiters are still connected. A crashed replica stops confirming, and other replicas
 * remove its tickets before their deadlines: see {@code PresenceObserver}.
 *
 * @param until changes with each confirmation. No replica compares it with its clock; it is a time for human readers
 *     only
 */
public record Presence(ReplicaId replica, Instant until) {}

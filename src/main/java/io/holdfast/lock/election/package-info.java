/**
 * Electing one replica for a periodic task by a Holdfast lock. Knows {@code lock.queue}, {@code lock.port} and
 * {@code lock.model}.
 */
package io.holdfast.lock.election;

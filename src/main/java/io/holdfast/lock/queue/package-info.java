/**
 * Waiting for a lock: the callers that wait at this replica, their tickets in the store, and what they leave behind. Knows
 * {@code lock.port} and {@code lock.model}.
 */
package io.holdfast.lock.queue;

/**
 * Waiting for a lock: the callers that wait at this replica, their tickets in the store, and the clean-up after them.
 * Knows {@code lock.port} and {@code lock.model}.
 */
package io.holdfast.lock.queue;

/**
 * Purging the records of leases that ended long ago. Knows {@code lock.election}, {@code lock.queue},
 * {@code lock.port} and {@code lock.model}.
 */
package io.holdfast.lock.sweep;

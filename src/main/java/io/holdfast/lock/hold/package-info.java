/**
 * Leases that this replica renews, while a connection lasts or while heartbeats arrive. Knows {@code lock},
 * {@code queue} and {@code keepalive}.
 */
package io.holdfast.lock.hold;

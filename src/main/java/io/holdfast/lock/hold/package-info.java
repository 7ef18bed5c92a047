/**
 * Leases that this replica renews: held by a connection, or renewed while heartbeats come. Knows {@code lock}, {@code queue} and
 * {@code keepalive}.
 */
package io.holdfast.lock.hold;

/** Renewing leases for their holders. Knows {@code lock.port} and {@code lock.model}. */
package io.holdfast.lock.keepalive;

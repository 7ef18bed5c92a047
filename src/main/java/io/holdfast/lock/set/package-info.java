/** Acquiring several locks, all or none. Knows {@code lock}, {@code hold} and {@code keepalive}. */
package io.holdfast.lock.set;

/**
 * Locks: leases with fencing tokens. {@link io.holdfast.lock.LockService} is the entry point. Knows {@code queue}, {@code keepalive},
 * {@code port} and {@code model} below it, and the kernel.
 */
package io.holdfast.lock;

/**
 * Locks: leases with fencing tokens. {@link io.holdfast.lock.LockService} is the entry point. Knows the kernel and its
 * subpackages {@code queue}, {@code keepalive}, {@code port} and {@code model}.
 */
package io.holdfast.lock;

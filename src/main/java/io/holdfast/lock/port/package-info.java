/**
 * The rules of a lock, {@link io.holdfast.lock.port.LockRules}, and the port of the stores that apply them,
 * {@link io.holdfast.lock.port.LockStore}, with requests and outcomes. Knows {@code lock.model}.
 */
package io.holdfast.lock.port;

/**
 * The rules of a lock and the store behind them: {@link io.holdfast.lock.port.LockRules}, {@link io.holdfast.lock.port.LockStore}, their requests and
 * outcomes. Knows {@code lock.model}.
 */
package io.holdfast.lock.port;

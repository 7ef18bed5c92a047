/**
 * Acquires locks and keeps them while a command runs. {@link io.holdfast.cli.session.LockSession} is the entry point. Knows
 * {@code api}, {@code base}, {@code output} and the wire records of locks.
 */
package io.holdfast.cli.session;

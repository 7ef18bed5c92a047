/**
 * Acquires locks and keeps them while a command runs. {@link io.holdfast.cli.session.LockSession} is the entry point. Knows
 * {@code api}, {@code base} and {@code output}.
 */
package io.holdfast.cli.session;

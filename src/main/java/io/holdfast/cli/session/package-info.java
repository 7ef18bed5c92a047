/** Acquiring locks and keeping them while a command runs. Knows {@code api}, {@code base} and {@code output}. */
package io.holdfast.cli.session;

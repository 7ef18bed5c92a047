/** The commands {@code apps} and {@code status}. */
package io.holdfast.cli.app;

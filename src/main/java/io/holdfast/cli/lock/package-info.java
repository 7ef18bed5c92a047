/** The commands {@code locks} and {@code exec}. */
package io.holdfast.cli.lock;

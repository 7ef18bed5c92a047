/**
 * Stopping and starting shared databases. {@link io.holdfast.power.PowerService} is the entry point. Knows {@code action}, {@code port} and
 * {@code model} below it, locks and the registry.
 */
package io.holdfast.power;

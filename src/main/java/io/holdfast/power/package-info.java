/**
 * Stopping and starting shared databases. {@link io.holdfast.power.PowerService} is the entry point. Knows its
 * subpackages, locks and the registry.
 */
package io.holdfast.power;

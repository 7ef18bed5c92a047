/**
 * Stopping and starting one database under its lock. Knows {@code power.port}, {@code power.model}, locks and the
 * registry.
 */
package io.holdfast.power.action;

/** Stopping and starting one database under its lock. Knows {@code power.port}, {@code power.model} and locks. */
package io.holdfast.power.action;

/** Start and wiring: clock, choice of the store, health, periodic tasks, drain. */
package io.holdfast.boot;

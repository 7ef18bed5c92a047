/** Puts the parts together: clock, store, health, schedules, drain. */
package io.holdfast.boot;

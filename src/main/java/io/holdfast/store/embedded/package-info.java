/**
 * The default store, in this process: locks, registry, power state, jobs and services as tables of the engine. Knows
 * {@code engine}.
 */
package io.holdfast.store.embedded;

/** The default store, in this process: locks, registry, power state and jobs as tables of the engine. Knows {@code engine}. */
package io.holdfast.store.embedded;

/** The default store, in this process: locks, registry and power state as tables of the engine. Knows {@code engine}. */
package io.holdfast.store.embedded;

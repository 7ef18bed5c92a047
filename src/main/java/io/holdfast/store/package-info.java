/** What all stores have in common: the choice of the store, its check and its telemetry. */
package io.holdfast.store;

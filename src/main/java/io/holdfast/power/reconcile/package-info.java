/** Checking again, at intervals, every database about which something is pending. Knows {@code power.action}. */
package io.holdfast.power.reconcile;

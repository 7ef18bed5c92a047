/** Periodic checks of pending databases. Knows {@code power.action}. */
package io.holdfast.power.reconcile;

/** Repairs of statuses that differ from what really runs. Knows {@code lifecycle.action} and the election of a leader. */
package io.holdfast.lifecycle.reconcile;

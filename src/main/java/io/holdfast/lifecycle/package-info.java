/**
 * Services and their status. Knows {@code lifecycle.action} for guarded writes, {@code lifecycle.feed} for events and
 * {@code lifecycle.reconcile} for repairs.
 */
package io.holdfast.lifecycle;

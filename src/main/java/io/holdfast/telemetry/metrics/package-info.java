/** Metrics of locks, databases, the store and the process, for Prometheus. */
package io.holdfast.telemetry.metrics;

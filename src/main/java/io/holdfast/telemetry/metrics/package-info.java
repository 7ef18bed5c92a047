/** Metrics of locks, databases, jobs, the store and the process, for Prometheus. */
package io.holdfast.telemetry.metrics;

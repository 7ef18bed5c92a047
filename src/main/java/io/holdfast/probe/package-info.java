/** Probes of apps: HTTP, Kubernetes, status gateway. Implements ports of {@code power.port}. Reads workloads. */
package io.holdfast.probe;

/** Probes of apps: HTTP, Kubernetes, status gateway. Implements ports of {@code power.port}. */
package io.holdfast.probe;

/**
 * What really runs of a service: the pods of a Kubernetes workload, or the answers of a URL. Implements the port
 * {@code ServiceObserver} of {@code lifecycle.port}. Knows {@code probe} for single looks.
 */
package io.holdfast.observe;

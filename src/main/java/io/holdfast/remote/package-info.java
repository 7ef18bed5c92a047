/** HTTP, TLS and Kubernetes clients of probes and actuators. Knows neither apps nor databases. */
package io.holdfast.remote;

/** Stops and starts databases for real: EC2, RDS, Kubernetes, webhooks; and the simulated one, which does not. */
package io.holdfast.actuator;

/** Actuators of databases: EC2, RDS, Kubernetes, webhook, simulated. Implements a port of {@code power.port}. */
package io.holdfast.actuator;

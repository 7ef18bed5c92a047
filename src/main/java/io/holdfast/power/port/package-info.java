/** The ports of power: store, probes of apps, actuators of databases. Knows {@code power.model}. */
package io.holdfast.power.port;

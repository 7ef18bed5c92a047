/** The rules of a service's status, and the ports for store, observation and events. Knows {@code lifecycle.model}. */
package io.holdfast.lifecycle.port;

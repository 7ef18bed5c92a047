/** Log lines, metrics and spans. Wraps the ports, so the code that uses a port needs no telemetry of its own. */
package io.holdfast.telemetry;

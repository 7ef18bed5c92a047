/** Spans of calls to stores, probes and actuators, when the program is built with tracing. */
package io.holdfast.telemetry.tracing;

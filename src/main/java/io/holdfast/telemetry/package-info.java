/** What happened, as log lines, metrics and spans. Wraps the ports, so that nobody who uses them has to think of it. */
package io.holdfast.telemetry;

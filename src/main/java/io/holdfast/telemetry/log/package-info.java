/** Log lines of lock operations. */
package io.holdfast.telemetry.log;

/** Log lines of lock operations and jobs. */
package io.holdfast.telemetry.log;

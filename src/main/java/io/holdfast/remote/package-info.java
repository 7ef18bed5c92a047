/** What probes and actuators share to reach others over HTTP. Knows neither apps nor databases. */
package io.holdfast.remote;

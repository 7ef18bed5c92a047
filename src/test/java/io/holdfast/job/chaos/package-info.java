/** Workers against the running program, with crashes, outages and {@code kill -9}. */
package io.holdfast.job.chaos;

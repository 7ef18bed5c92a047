/**
 * The rules of jobs, {@link io.holdfast.job.port.JobRules}, and the port of the stores that write what the rules decide,
 * {@link io.holdfast.job.port.JobStore}, with outcomes. Knows {@code job.model}, and the rules of locks.
 */
package io.holdfast.job.port;

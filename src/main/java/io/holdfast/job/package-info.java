/**
 * Clusters and jobs: exactly one worker operates on a cluster. {@link io.holdfast.job.JobService} is the entry point.
 * Knows all other packages of jobs.
 */
package io.holdfast.job;

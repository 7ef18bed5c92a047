/**
 * The values of clusters and jobs, and the table of which job may run in which status of its cluster. Knows
 * {@code lock.model}.
 */
package io.holdfast.job.model;

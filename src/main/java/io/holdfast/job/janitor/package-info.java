/**
 * Ending the runs of dead workers, and destroying clusters whose TTL is over. Knows {@code job.action} and
 * {@code job.port}, and the election of one replica by a lock.
 */
package io.holdfast.job.janitor;

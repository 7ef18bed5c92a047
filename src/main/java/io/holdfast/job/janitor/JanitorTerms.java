package io.holdfast.job.janitor;

import java.time.Duration;

/**
 * The limits of the janitor.
 *
 * @param stepSize how many records are read in one step
 * @param lockTtl the TTL of the janitor's own lock
 */
public record JanitorTerms(int stepSize, Duration lockTtl) {}

package io.holdfast.kernel;

import java.time.Instant;

/** An answer with the time at which it is valid, from which a client computes the time left of a lease. */
public record Timestamped<T>(T answer, Instant now) {}

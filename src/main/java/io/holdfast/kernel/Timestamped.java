package io.holdfast.kernel;

import java.time.Instant;

/** An answer and the time it was given for, so that whoever shows it can say what is left. */
public record Timestamped<T>(T answer, Instant now) {}

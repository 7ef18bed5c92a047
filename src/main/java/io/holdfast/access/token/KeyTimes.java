package io.holdfast.access.token;

import java.time.Duration;

/**
 * @param refreshAfter keys of this age are fetched again, while they stay in use
 * @param pause at least this long between two fetches from one issuer
 * @param keepMax keys of this age are not used any more
 */
public record KeyTimes(Duration refreshAfter, Duration pause, Duration keepMax) {}

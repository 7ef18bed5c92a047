package io.holdfast.access.token;

import java.time.Duration;

/**
 * @param lengthMax characters of a token
 * @param cachedMax verified tokens that are remembered
 * @param leeway for the times in tokens, unless their issuer has its own
 */
public record TokenLimits(int lengthMax, int cachedMax, Duration leeway) {}

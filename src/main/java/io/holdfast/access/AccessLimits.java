package io.holdfast.access;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.access.file.TrustedIssuer;
import io.holdfast.access.token.KeyTimes;
import io.holdfast.access.token.TokenLimits;
import java.time.Duration;

/** The settings of access control, checked. */
public final class AccessLimits {
    private static final Duration RELOAD_MIN = Duration.ofMillis(100);
    private static final Duration TIMEOUT_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final int SIZE_MIN = 1024;
    private static final int SIZE_MAX = 64 * 1024 * 1024;
    private static final int TOKEN_LENGTH_MIN = 256;
    private static final int TOKEN_LENGTH_MAX = 64 * 1024;

    private final AccessConfig config;

    public AccessLimits(AccessConfig config) {
        this.config = config;
        requireAtLeast("holdfast.access.reload-every", config.reloadEvery(), "the shortest pause", RELOAD_MIN);
        size("holdfast.access.file-max", config.fileMax().asLongValue());
        size("holdfast.access.jwks-body-max", config.jwksBodyMax().asLongValue());
        requireAtLeast("holdfast.access.token-length-max", config.tokenLengthMax(), TOKEN_LENGTH_MIN);
        requireAtLeast(
                "the longest token", TOKEN_LENGTH_MAX, "holdfast.access.token-length-max", config.tokenLengthMax());
        requireAtLeast("holdfast.access.cached-tokens-max", config.cachedTokensMax(), 1);
        requireAtLeast("holdfast.access.leeway", config.leeway(), "the shortest", Duration.ZERO);
        requireAtLeast("the longest leeway", TrustedIssuer.LEEWAY_MAX, "holdfast.access.leeway", config.leeway());
        requireAtLeast("holdfast.access.jwks-timeout", config.jwksTimeout(), "the shortest", TIMEOUT_MIN);
        requireAtLeast("holdfast.access.jwks-pause", config.jwksPause(), "the shortest", PAUSE_MIN);
        requireAtLeast(
                "holdfast.access.jwks-refresh", config.jwksRefresh(), "holdfast.access.jwks-pause", config.jwksPause());
        requireAtLeast(
                "holdfast.access.jwks-keep-max",
                config.jwksKeepMax(),
                "holdfast.access.jwks-refresh",
                config.jwksRefresh());
    }

    private static void size(String key, long bytes) {
        requireAtLeast(key, bytes, SIZE_MIN);
        requireAtLeast("the largest size", SIZE_MAX, key, bytes);
    }

    public Duration reloadEvery() {
        return config.reloadEvery();
    }

    int fileMax() {
        return Math.toIntExact(config.fileMax().asLongValue());
    }

    public Duration jwksTimeout() {
        return config.jwksTimeout();
    }

    public int jwksBodyMax() {
        return Math.toIntExact(config.jwksBodyMax().asLongValue());
    }

    TokenLimits tokens() {
        return new TokenLimits(config.tokenLengthMax(), config.cachedTokensMax(), config.leeway());
    }

    KeyTimes keys() {
        return new KeyTimes(config.jwksRefresh(), config.jwksPause(), config.jwksKeepMax());
    }
}

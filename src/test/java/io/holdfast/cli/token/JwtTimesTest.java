package io.holdfast.cli.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Jwts;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JwtTimesTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    @Test
    void aTokenIsValidFromItsFirstToBeforeItsLastSecond() {
        var times = JwtTimes.of(Jwts.of("{\"nbf\":%d,\"exp\":%d}"
                        .formatted(NOON.getEpochSecond(), NOON.plusSeconds(60).getEpochSecond())))
                .orElseThrow();

        assertThat(times.isNotYetValid(NOON.minusMillis(1))).isTrue();
        assertThat(times.isNotYetValid(NOON)).isFalse();
        assertThat(times.isExpired(NOON.plusSeconds(60).minusMillis(1))).isFalse();
        assertThat(times.isExpired(NOON.plusSeconds(60))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"exp\":\"soon\"}", "{\"exp\":1e300}", "{\"exp\":-1}", "{\"exp\":null}"})
    void aTimeThatIsNoneIsNotKnown(String claims) {
        assertThat(JwtTimes.of(Jwts.of(claims)).orElseThrow().expiresAt()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "a.b.c", "a.b", "...", "e30.e30.x", "eyJhbGciOiJub25lIn0.W10.", "db.example.com"})
    void anyOtherTextIsNotAJwt(String text) {
        assertThat(JwtTimes.of(text)).isEmpty();
    }
}

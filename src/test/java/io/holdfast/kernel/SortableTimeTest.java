package io.holdfast.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SortableTimeTest {
    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 0000000000000",
        "1970-01-01T00:00:00.001Z, 0000000000001",
        "2001-09-09T01:46:39.999Z, 0999999999999",
        "2001-09-09T01:46:40Z, 1000000000000",
        "2026-11-18T10:15:00.500Z, 1794996900500",
        "2286-11-20T17:46:39.999Z, 9999999999999"
    })
    void aTimeHasThirteenDigits(Instant at, String text) {
        assertThat(SortableTime.text(at)).isEqualTo(text);
    }

    @Test
    void textsSortAsTheirTimesDo() {
        var texts = Stream.of(0L, 9L, 10L, 999_999_999_999L, 1_000_000_000_000L, 1_794_996_900_500L)
                .map(Instant::ofEpochMilli)
                .map(SortableTime::text)
                .toList();

        assertThat(texts).isSorted();
    }
}

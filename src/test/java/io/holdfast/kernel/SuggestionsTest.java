package io.holdfast.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {
    private static final List<String> KNOWN = List.of("dry_run", "status", "ttl", "owner", "to");

    @ParameterizedTest
    @CsvSource({"dryrun, dry_run", "stauts, status", "tll, ttl", "Owner, owner", "ownerss, owner", "t, to"})
    void aWordWithFewSlipsIsRecognised(String typed, String meant) {
        assertThat(Suggestions.nearest(typed, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"colour", "statusabc", "xyz", "dryr"})
    void aWordWithTooManySlipsIsNot(String typed) {
        assertThat(Suggestions.nearest(typed, KNOWN)).isEmpty();
    }

    /** What a client sends may be long, and comparing it must cost nothing. */
    @Test
    void aLongWordIsNotCompared() {
        assertThat(Suggestions.nearest("x".repeat(10_000_000), KNOWN)).isEmpty();
    }
}

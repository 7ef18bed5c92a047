package io.holdfast.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " a ", "tab\tand\u0000null", "\ud83d broken", "\u202eleft", "a\u2028b", "\ufffd"})
    void cleanedTextIsAcceptedAsWords(String text) {
        var cleaned = Text.cleaned(text, 100);

        assertThat(Text.words("text", cleaned, 100)).isEqualTo(cleaned);
    }

    @Test
    void cleanedTextIsCutBetweenCharacters() {
        assertThat(Text.cleaned("a\ud83d\ude00b", 2)).isEqualTo("a");
        assertThat(Text.cleaned("a\ud83d\ude00b", 3)).isEqualTo("a\ud83d\ude00");
        assertThat(Text.cleaned("Größe", 5)).isEqualTo("Größe");
    }
}

package io.holdfast.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalWidthTest {
    @Test
    void theSecondNumberIsTheWidth() {
        assertThat(TerminalWidth.columns("24 132\n")).hasValue(132);
    }

    @Test
    void aTerminalThatDoesNotKnowItsSizeHasNone() {
        assertThat(TerminalWidth.columns("0 0\n")).isEmpty();
        assertThat(TerminalWidth.columns("")).isEmpty();
    }
}

package io.holdfast.boot.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The width of the controlling terminal, from {@code stty}. Java has no API for it. */
final class TerminalWidth {
    private static final File TERMINAL = new File("/dev/tty");
    private static final int ANSWER_SECONDS_MAX = 2;

    /** Rows and columns. A terminal of unknown size has 0 of both. */
    private static final Pattern SIZE = Pattern.compile("\\d+ ([1-9]\\d{0,3})\\s*");

    private TerminalWidth() {}

    static OptionalInt ask() {
        try {
            var asked = new ProcessBuilder("stty", "size")
                    .redirectInput(TERMINAL)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!asked.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
                asked.destroyForcibly();
                return OptionalInt.empty();
            }
            return columns(new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException noTerminal) {
            return OptionalInt.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    static OptionalInt columns(String size) {
        var found = SIZE.matcher(size);
        return found.matches() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
    }
}

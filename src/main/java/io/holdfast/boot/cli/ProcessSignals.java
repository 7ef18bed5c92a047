package io.holdfast.boot.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjIntConsumer;
import sun.misc.Signal;

/**
 * Listens to signals, by the JDK's internal API. The compiler always warns about it, so this class is compiled
 * separately and uses no other class of Holdfast.
 */
final class ProcessSignals {
    private static final List<String> SIGNALS = List.of("HUP", "INT", "QUIT", "USR1", "USR2", "TERM");

    private static final String IGNORED = "SigIgn:";
    private static final int HEXADECIMAL = 16;

    private ProcessSignals() {}

    /**
     * Skips signals that the JVM reserves, and those that the process was started to ignore.
     *
     * @param listener gets name and number, on a thread of the JVM
     */
    static void listen(ObjIntConsumer<String> listener) {
        var ignored = ignored();
        for (var name : SIGNALS) {
            try {
                var known = new Signal(name);
                if (!ignored.testBit(known.getNumber() - 1)) {
                    Signal.handle(known, signal -> listener.accept(signal.getName(), signal.getNumber()));
                }
            } catch (IllegalArgumentException taken) {
                // The JVM keeps its own handler.
            }
        }
    }

    /** Read from {@code /proc} on Linux. On other systems the JVM itself respects the most common ones. */
    private static BigInteger ignored() {
        try (var status = Files.lines(Path.of("/proc/self/status"))) {
            return status.filter(line -> line.startsWith(IGNORED))
                    .map(line -> new BigInteger(line.substring(IGNORED.length()).strip(), HEXADECIMAL))
                    .findFirst()
                    .orElse(BigInteger.ZERO);
        } catch (IOException | UncheckedIOException elsewhere) {
            return BigInteger.ZERO;
        }
    }
}

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
 * Hears signals. It is the JDK's only way to, and one that the compiler always warns of: so this class is compiled by
 * itself, and knows no other of ours.
 */
final class ProcessSignals {
    private static final List<String> HEARD = List.of("HUP", "INT", "QUIT", "USR1", "USR2", "TERM");

    private static final String IGNORED = "SigIgn:";
    private static final int HEXADECIMAL = 16;

    private ProcessSignals() {}

    /**
     * Leaves alone what the virtual machine keeps for itself and what we were started to ignore.
     *
     * @param listener is told name and number, on a thread of the machine's
     */
    static void hear(ObjIntConsumer<String> listener) {
        var ignored = ignored();
        for (var name : HEARD) {
            try {
                var heard = new Signal(name);
                if (!ignored.testBit(heard.getNumber() - 1)) {
                    Signal.handle(heard, signal -> listener.accept(signal.getName(), signal.getNumber()));
                }
            } catch (IllegalArgumentException taken) {
                // Then it does what it always does.
            }
        }
    }

    /** As Linux tells it; elsewhere the virtual machine itself looks at the most common ones. */
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

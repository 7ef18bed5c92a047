package io.holdfast.boot;

import java.util.List;
import java.util.function.ObjIntConsumer;
import sun.misc.Signal;

/**
 * Hears signals. It is the JDK's only way to, and one that the compiler always warns of: so this class is compiled by
 * itself, and knows no other of ours.
 */
final class MachineSignals {
    private static final List<String> HEARD = List.of("HUP", "INT", "QUIT", "USR1", "USR2", "TERM");

    private MachineSignals() {}

    /**
     * Leaves alone what the virtual machine keeps for itself and what we were started to ignore.
     *
     * @param listener is told name and number, on a thread of the machine's
     */
    static void hear(ObjIntConsumer<String> listener) {
        for (var name : HEARD) {
            try {
                Signal.handle(new Signal(name), signal -> listener.accept(signal.getName(), signal.getNumber()));
            } catch (IllegalArgumentException taken) {
                // Then it does what it always does.
            }
        }
    }
}

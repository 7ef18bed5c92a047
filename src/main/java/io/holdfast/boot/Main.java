package io.holdfast.boot;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Serves until it is told to stop. When it cannot start, the last line on stderr says why in one sentence. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        Quarkus.run(null, Main::exit, args);
    }

    private static void exit(int code, Throwable failure) {
        if (failure != null) {
            var root = rootOf(failure);
            System.err.println("Holdfast cannot start: " + (root.getMessage() == null ? root : root.getMessage()));
        }
        System.exit(code);
    }

    private static Throwable rootOf(Throwable failure) {
        var root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}

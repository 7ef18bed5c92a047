package io.holdfast.boot;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Map;

/**
 * With arguments the command line, of which only {@code serve} starts the service. Without, the service: it serves until
 * it is told to stop, and when it cannot start, the last line on stderr says why in one sentence.
 */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        StandardStreams.takeClosed();
        if (args.length > 0) {
            System.exit(Machine.run(args));
        }
        serve(Map.of());
    }

    /**
     * Serves until the process is told to stop. The process ends with the service.
     *
     * @param settings by property name; they override the environment and application.properties
     */
    static int serve(Map<String, String> settings) {
        settings.forEach(System::setProperty);
        Quarkus.run(null, Main::exit);
        return 0;
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

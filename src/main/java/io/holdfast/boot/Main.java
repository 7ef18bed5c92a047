package io.holdfast.boot;

import io.holdfast.boot.cli.CliLauncher;
import io.holdfast.boot.cli.StandardStreams;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Map;

/**
 * Entry point. Without arguments it starts the service, see {@link Server}; with arguments it runs the command line.
 *
 * <p>Compiled for Java 17, after all other classes, so that an older Java can load it and print the required version.
 * No other class may refer to it.
 */
@QuarkusMain
public final class Main {
    private static final int JAVA_MIN = 21;

    /** The installed launcher exits with the same code if Java is missing or too old. */
    private static final int NO_JAVA = 4;

    private Main() {}

    public static void main(String... args) {
        if (Runtime.version().feature() < JAVA_MIN) {
            System.err.println("holdfast: Java " + JAVA_MIN + " or newer is needed, and this is Java "
                    + Runtime.version().feature() + ": run the jar with a newer java.");
            System.exit(NO_JAVA);
        }
        StandardStreams.takeClosed();
        if (args.length > 0) {
            System.exit(CliLauncher.run(Server::serve, args));
        }
        Server.serve(Map.of());
    }
}

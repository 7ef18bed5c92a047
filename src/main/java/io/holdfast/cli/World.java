package io.holdfast.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

/**
 * All that the command line touches outside of itself.
 *
 * @param tables what creates and checks DynamoDB tables, made when it is needed
 * @param server starts the service in this process
 */
public record World(
        Map<String, String> environment,
        Streams streams,
        InstantSource clock,
        Signals signals,
        Supplier<TableDoor> tables,
        Server server) {
    /** A client only: it cannot start the service. */
    public World(
            Map<String, String> environment,
            Streams streams,
            InstantSource clock,
            Signals signals,
            Supplier<TableDoor> tables) {
        this(environment, streams, clock, signals, tables, settings -> {
            throw new IllegalStateException("There is no service to start here.");
        });
    }

    /** Runs the service until it is told to stop. */
    public interface Server {
        /**
         * @param settings by property name; they override the environment
         * @return the exit code
         */
        int serve(Map<String, String> settings);
    }

    /** Tells of signals that come to this process, by name and number, on a thread of its own. */
    public interface Signals {
        void hear(ObjIntConsumer<String> listener);
    }

    /** @param terminals which of them a person sits at */
    public record Streams(InputStream in, PrintStream out, PrintStream err, Terminals terminals) {}

    public record Terminals(boolean in, boolean out, boolean err) {
        public static final Terminals NONE = new Terminals(false, false, false);
    }

    /** Whether what was written there can be written over. */
    boolean canRewrite(boolean terminal) {
        return terminal && !"dumb".equals(environment.get("TERM"));
    }

    String setting(String name, String otherwise) {
        var value = environment.get(name);
        return value == null || value.isBlank() ? otherwise : value;
    }
}

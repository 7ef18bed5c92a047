package io.holdfast.cli.base;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

/**
 * All that the command line touches outside of itself.
 *
 * @param tables what creates and checks DynamoDB tables, made when it is needed
 * @param server starts the service in this process
 */
public record CliEnvironment(
        Map<String, String> variables,
        Streams streams,
        InstantSource clock,
        Signals signals,
        Supplier<TableAdmin> tables,
        Server server) {
    private static final int COLUMNS_DEFAULT = 80;

    /** A client only: it cannot start the service. */
    public CliEnvironment(
            Map<String, String> variables,
            Streams streams,
            InstantSource clock,
            Signals signals,
            Supplier<TableAdmin> tables) {
        this(variables, streams, clock, signals, tables, settings -> {
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
        void listen(ObjIntConsumer<String> listener);
    }

    /** @param terminals which of them a person sits at */
    public record Streams(InputStream in, PrintStream out, PrintStream err, Terminals terminals) {}

    /** @param columns asks for the width of the terminal; empty if it is not known */
    public record Terminals(boolean in, boolean out, boolean err, Supplier<OptionalInt> columns) {
        public static final Terminals NONE = new Terminals(false, false, false);

        /** Terminals of unknown width. */
        public Terminals(boolean in, boolean out, boolean err) {
            this(in, out, err, OptionalInt::empty);
        }
    }

    /** How many characters fit on a line of the terminal: {@code COLUMNS}, else as the terminal says, else 80. */
    public int columns() {
        var chosen = variables.getOrDefault("COLUMNS", "");
        return chosen.matches("[1-9][0-9]{0,3}")
                ? Integer.parseInt(chosen)
                : streams.terminals().columns().get().orElse(COLUMNS_DEFAULT);
    }

    /** Whether what was written there can be written over. */
    public boolean canRewrite(boolean terminal) {
        return terminal && !"dumb".equals(variables.get("TERM"));
    }

    public String setting(String name, String otherwise) {
        var value = variables.get(name);
        return value == null || value.isBlank() ? otherwise : value;
    }
}

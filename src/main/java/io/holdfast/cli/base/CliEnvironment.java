package io.holdfast.cli.base;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

/**
 * The process around a command: environment variables, streams, clock, signals.
 *
 * @param tables opens the DynamoDB table for the {@code table} commands
 * @param server starts the service in this process
 */
public record CliEnvironment(
        Map<String, String> variables,
        Streams streams,
        InstantSource clock,
        Signals signals,
        Tables tables,
        Server server) {
    private static final int COLUMNS_DEFAULT = 80;

    /** For clients only: it cannot start the service. */
    public CliEnvironment(
            Map<String, String> variables, Streams streams, InstantSource clock, Signals signals, Tables tables) {
        this(variables, streams, clock, signals, tables, settings -> {
            throw new IllegalStateException("The service cannot be started here.");
        });
    }

    /** Opens the DynamoDB table. */
    public interface Tables {
        /** @param timeout how long one call may take; empty for the default */
        TableAdmin open(Optional<Duration> timeout);
    }

    /** Runs the service until it is stopped. */
    public interface Server {
        /**
         * @param settings by property name; they override the environment
         * @return the exit code
         */
        int serve(Map<String, String> settings);
    }

    /** Signals to this process, by name and number. The listener is called on another thread. */
    public interface Signals {
        void listen(ObjIntConsumer<String> listener);
    }

    /** @param terminals which of the streams are terminals */
    public record Streams(InputStream in, PrintStream out, PrintStream err, Terminals terminals) {}

    /** @param columns reads the width of the terminal; empty if it is unknown */
    public record Terminals(boolean in, boolean out, boolean err, Supplier<OptionalInt> columns) {
        public static final Terminals NONE = new Terminals(false, false, false);

        /** Terminals of unknown width. */
        public Terminals(boolean in, boolean out, boolean err) {
            this(in, out, err, OptionalInt::empty);
        }
    }

    /** The width of the terminal: {@code COLUMNS}, else what the terminal reports, else 80. */
    public int columns() {
        var chosen = variables.getOrDefault("COLUMNS", "");
        return chosen.matches("[1-9][0-9]{0,3}")
                ? Integer.parseInt(chosen)
                : streams.terminals().columns().get().orElse(COLUMNS_DEFAULT);
    }

    /** Whether a line on this stream can be rewritten. */
    public boolean canRewrite(boolean terminal) {
        return terminal && !"dumb".equals(variables.get("TERM"));
    }

    public String setting(String name, String otherwise) {
        var value = variables.get(name);
        return value == null || value.isBlank() ? otherwise : value;
    }
}

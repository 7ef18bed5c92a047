package io.holdfast.cli;

import io.holdfast.cli.base.CliEnvironment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Map;

/** Commands without a process, for speed. Nobody sits at a terminal unless a test says so. */
public final class ShellInProcess implements Shell {
    private final CliEnvironment.Terminals terminals;
    private final InstantSource clock;
    private final CliEnvironment.Tables tables;

    public ShellInProcess(CliEnvironment.Terminals terminals) {
        this(terminals, Clock.systemUTC(), timeout -> {
            throw new IllegalStateException("There is no DynamoDB here.");
        });
    }

    public ShellInProcess(CliEnvironment.Terminals terminals, InstantSource clock, CliEnvironment.Tables tables) {
        this.terminals = terminals;
        this.clock = clock;
        this.tables = tables;
    }

    @Override
    public Result run(Map<String, String> variables, String input, String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var streams = new CliEnvironment.Streams(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminals);
        var environment = new CliEnvironment(variables, streams, clock, listener -> {}, tables);
        var exit = Cli.run(environment, words);
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}

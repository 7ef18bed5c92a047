package io.holdfast.cli.lock;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Repeats a listing until the process is stopped or the reader of stdout has closed it. */
final class Watch {
    private static final Duration EVERY_MIN = Duration.ofMillis(200);
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final CliEnvironment environment;
    private final Duration every;

    Watch(CliEnvironment environment, Duration every) {
        this.environment = environment;
        this.every = every;
    }

    /**
     * After the first listing, a service that does not answer is retried.
     *
     * @param listing prints once, and returns false if the reader of stdout has closed it
     */
    int repeat(BooleanSupplier listing) {
        if (every.compareTo(EVERY_MIN) < 0) {
            throw new CliException(Exit.USAGE, "--watch must be at least " + EVERY_MIN.toMillis() + "ms.");
        }
        var streams = environment.streams();
        var first = true;
        while (true) {
            if (environment.canRewrite(streams.terminals().out())) {
                streams.out().print(CLEAR);
            } else if (!first) {
                streams.out().println();
            }
            try {
                if (!listing.getAsBoolean() || streams.out().checkError()) {
                    return Exit.DONE;
                }
            } catch (CliException failure) {
                if (first || !failure.isTemporary()) {
                    throw failure;
                }
                streams.err().println("holdfast: " + failure.getMessage());
            }
            first = false;
            try {
                Thread.sleep(every);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Exit.DONE;
            }
        }
    }
}

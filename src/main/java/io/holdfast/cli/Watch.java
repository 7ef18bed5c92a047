package io.holdfast.cli;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Shows something again and again, until somebody stops it or nobody reads any more. */
final class Watch {
    private static final Duration EVERY_MIN = Duration.ofMillis(200);
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final World world;
    private final Duration every;

    Watch(World world, Duration every) {
        this.world = world;
        this.every = every;
    }

    /** @param picture shows it once, and says whether anybody reads; a service that does not answer is waited for */
    int showing(BooleanSupplier picture) {
        if (every.compareTo(EVERY_MIN) < 0) {
            throw new Failure(Exit.USAGE, "--watch must be at least " + EVERY_MIN.toMillis() + "ms.");
        }
        var streams = world.streams();
        var first = true;
        while (true) {
            if (world.canRewrite(streams.terminals().out())) {
                streams.out().print(CLEAR);
            } else if (!first) {
                streams.out().println();
            }
            try {
                if (!picture.getAsBoolean() || streams.out().checkError()) {
                    return Exit.DONE;
                }
            } catch (Failure failure) {
                if (first || failure.exit() != Exit.UNAVAILABLE) {
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

package io.holdfast.cli;

import io.holdfast.http.wire.LockBody;
import io.holdfast.kernel.Text;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "hold",
        description = "Hold a lock until Ctrl-C, a signal, or its loss (exit code 5).",
        footer = "  holdfast locks hold nightly --owner me --for 1s")
final class LocksHold extends Client {
    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Mixin
    private KeepOptions keep;

    @Option(names = "--for", paramLabel = "TIME", description = "Give it back after so long. Default: hold on")
    private Duration atMost;

    private final Recall recall = new Recall();
    private Wish wish;
    private Guard guard;
    private List<LockBody> leases;
    private volatile boolean stopped;

    @Override
    public Integer call() throws InterruptedException {
        wish = keep.wish(List.of(Text.name("NAME", name)), Map.of(), world());
        world().signals().hear(this::signalled);
        var taken = Taker.take(this, wish, keep.waitMax(), recall);
        leases = taken.locks();
        keep(taken);
        guard.awaitHeld(() -> stopped);
        if (!stopped && guard.loss().isEmpty()) {
            screen().sheet(taken.answer(), LocksAcquire.SHOWN);
            Aside.begin(this::tellHowItEnds).await();
        }
        var until = atMost == null ? Long.MAX_VALUE : System.nanoTime() + atMost.toNanos();
        while (!stopped && guard.loss().isEmpty() && System.nanoTime() < until) {
            guard.await(atMost == null ? keep.ttl() : Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
        guard.dismiss();
        var loss = guard.loss();
        try {
            return loss.isPresent() ? lost(loss.get()) : givenBack();
        } finally {
            guard.close();
        }
    }

    private void tellHowItEnds() {
        var end = atMost == null
                ? "until Ctrl-C or SIGTERM"
                : "for %s; Ctrl-C or SIGTERM releases it earlier".formatted(DurationText.words(atMost));
        holdfast().note("Holding '%s' as %s, renewed automatically, %s.".formatted(name, wish.owner(), end));
    }

    /** Whoever relied on it has to know first. */
    private int lost(String loss) {
        holdfast().note(loss);
        Taker.releaseIfPossible(api(), wish);
        return Exit.LOST;
    }

    private int givenBack() throws InterruptedException {
        if (new GivingBack(api(), wish, leases).isOursToTheEnd(holdfast()::note, guard)) {
            return Exit.DONE;
        }
        holdfast().note("Lock '%s' was lost before it was given back.".formatted(name));
        return Exit.LOST;
    }

    /** A signal comes before or after, and never in between. */
    private synchronized void keep(Taker.Taken taken) {
        if (recall.isMade()) {
            Taker.releaseIfPossible(api(), wish);
            throw recall.failure();
        }
        if (!taken.locks().getFirst().lockId().equals(wish.lockId())) {
            throw new Failure(
                    Exit.REFUSED, "%s holds '%s' already, by another acquisition.".formatted(wish.owner(), name));
        }
        guard = Guard.keeping(api(), taken, Duration.ZERO, outages());
    }

    private synchronized void signalled(String signal, int number) {
        if (stopped) {
            // Told twice, it waits for nothing more.
            Runtime.getRuntime().halt(Exit.SIGNALLED + number);
        }
        if (guard == null) {
            recall.by(number);
        } else {
            stopped = true;
            guard.changed();
        }
    }
}

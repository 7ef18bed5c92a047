package io.holdfast.cli.lock;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.AsyncNote;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.session.Cancellation;
import io.holdfast.cli.session.KeepAliveOptions;
import io.holdfast.cli.session.LeaseMonitor;
import io.holdfast.cli.session.LockAcquirer;
import io.holdfast.cli.session.LockReleaser;
import io.holdfast.cli.session.LockRequest;
import io.holdfast.http.wire.lock.LockBody;
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
final class LocksHold extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Mixin
    private KeepAliveOptions keep;

    @Option(names = "--for", paramLabel = "TIME", description = "Give it back after so long. Default: hold on")
    private Duration atMost;

    private final Cancellation recall = new Cancellation();
    private LockRequest request;
    private LeaseMonitor monitor;
    private List<LockBody> leases;
    private volatile boolean stopped;

    @Override
    public Integer call() throws InterruptedException {
        request = keep.wish(List.of(Text.name("NAME", name)), Map.of(), world());
        world().signals().hear(this::signalled);
        var taken = LockAcquirer.take(this, request, keep.waitMax(), recall);
        leases = taken.locks();
        keep(taken);
        monitor.awaitHeld(() -> stopped);
        if (!stopped && monitor.loss().isEmpty()) {
            screen().sheet(taken.answer(), LocksAcquire.SHOWN);
            AsyncNote.begin(this::tellHowItEnds).await();
        }
        var until = atMost == null ? Long.MAX_VALUE : System.nanoTime() + atMost.toNanos();
        while (!stopped && monitor.loss().isEmpty() && System.nanoTime() < until) {
            monitor.await(atMost == null ? keep.ttl() : Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
        monitor.dismiss();
        var loss = monitor.loss();
        try {
            return loss.isPresent() ? lost(loss.get()) : givenBack();
        } finally {
            monitor.close();
        }
    }

    private void tellHowItEnds() {
        var end = atMost == null
                ? "until Ctrl-C or SIGTERM"
                : "for %s; Ctrl-C or SIGTERM releases it earlier".formatted(DurationText.words(atMost));
        holdfast().note("Holding '%s' as %s, renewed automatically, %s.".formatted(name, request.owner(), end));
    }

    /** Whoever relied on it has to know first. */
    private int lost(String loss) {
        holdfast().note(loss);
        LockAcquirer.releaseIfPossible(api(), request);
        return Exit.LOST;
    }

    private int givenBack() throws InterruptedException {
        if (new LockReleaser(api(), request, leases).isOursToTheEnd(holdfast()::note, monitor)) {
            return Exit.DONE;
        }
        holdfast().note("Lock '%s' was lost before it was given back.".formatted(name));
        return Exit.LOST;
    }

    /** A signal comes before or after, and never in between. */
    private synchronized void keep(LockAcquirer.Taken taken) {
        if (recall.isMade()) {
            LockAcquirer.releaseIfPossible(api(), request);
            throw recall.failure();
        }
        if (!taken.locks().getFirst().lockId().equals(request.lockId())) {
            throw new CliException(
                    Exit.REFUSED, "%s holds '%s' already, by another acquisition.".formatted(request.owner(), name));
        }
        monitor = LeaseMonitor.keeping(api(), taken, Duration.ZERO, outages());
    }

    private synchronized void signalled(String signal, int number) {
        if (stopped) {
            // Told twice, it waits for nothing more.
            Runtime.getRuntime().halt(Exit.SIGNALLED + number);
        }
        if (monitor == null) {
            recall.by(number);
        } else {
            stopped = true;
            monitor.changed();
        }
    }
}

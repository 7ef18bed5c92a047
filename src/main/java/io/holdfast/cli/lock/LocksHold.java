package io.holdfast.cli.lock;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.AsyncNote;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.session.KeepAliveOptions;
import io.holdfast.cli.session.LockRequest;
import io.holdfast.cli.session.LockSession;
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
        description = "Hold a lock until Ctrl-C, SIGTERM or its loss (exit code 5).",
        footer = "  holdfast locks hold nightly --owner me --for 1s")
final class LocksHold extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Mixin
    private KeepAliveOptions keepAlive;

    @Option(names = "--for", paramLabel = "TIME", description = "Release it after this time. Default: never")
    private Duration atMost;

    private LockRequest request;
    private LockSession session;

    @Override
    public Integer call() throws InterruptedException {
        request = keepAlive.request(List.of(Text.name("NAME", name)), Map.of(), environment());
        try (var opened = new LockSession(this, request)) {
            session = opened;
            environment()
                    .signals()
                    .listen((signal, number) -> session.signalled(number, () -> session.requestStop(number)));
            var acquired = session.acquireAndBegin(keepAlive.waitMax(), Duration.ZERO);
            session.awaitAllHeld();
            if (isHolding()) {
                output().object(acquired.answer(), LocksAcquire.SHOWN);
                AsyncNote.begin(this::noteHowItEnds).await();
            }
            awaitEnd();
            var loss = session.stopMonitoring();
            return loss.isPresent() ? lost(loss.get()) : released();
        }
    }

    private boolean isHolding() {
        return !session.isStopRequested() && session.loss().isEmpty();
    }

    private void noteHowItEnds() {
        var end = atMost == null
                ? "until Ctrl-C or SIGTERM"
                : "for %s; Ctrl-C or SIGTERM releases it earlier".formatted(DurationText.words(atMost));
        holdfast().note("Holding '%s' as %s, renewed automatically, %s.".formatted(name, request.owner(), end));
    }

    private void awaitEnd() throws InterruptedException {
        var until = atMost == null ? Long.MAX_VALUE : System.nanoTime() + atMost.toNanos();
        while (isHolding() && System.nanoTime() < until) {
            session.await(atMost == null ? keepAlive.ttl() : Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
    }

    /** The note comes first: the clean-up may take seconds. */
    private int lost(String loss) {
        holdfast().note(loss);
        session.cleanUp();
        return Exit.LOST;
    }

    private int released() throws InterruptedException {
        if (session.release()) {
            return Exit.DONE;
        }
        holdfast().note("Lock '%s' was lost before it was released.".formatted(name));
        return Exit.LOST;
    }
}

package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.http.wire.lock.LockBody;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gives locks back when the work is done, and finds out whether they were ours until then. Each lease is released by its
 * own fencing token: a lock that was lost and taken again in between is found to be lost.
 */
public final class LockReleaser {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ApiClient api;
    private final LockRequest request;
    private final List<LockBody> leases;

    private enum Outcome {
        OURS,
        LOST,
        UNANSWERED
    }

    public LockReleaser(ApiClient api, LockRequest request, List<LockBody> leases) {
        this.api = api;
        this.request = request;
        this.leases = leases;
    }

    /** @return false if they were surely not */
    public boolean isOursToTheEnd(Consumer<String> notes, LeaseMonitor monitor) throws InterruptedException {
        var asking = monitor.isAsking();
        var ours = isOursToTheEnd(notes, monitor.remaining());
        if (asking) {
            LockAcquirer.releaseIfPossible(api, request);
        }
        return ours;
    }

    boolean isOursToTheEnd(Consumer<String> notes, Duration remaining) throws InterruptedException {
        var until = System.nanoTime() + api.answerMax().toNanos();
        var ours = true;
        for (var lease : leases) {
            switch (outcome(lease, until, notes, remaining)) {
                case OURS -> {}
                case LOST -> ours = false;
                case UNANSWERED -> {
                    return ours;
                }
            }
        }
        return ours;
    }

    private Outcome outcome(LockBody lease, long answerUntil, Consumer<String> notes, Duration remaining)
            throws InterruptedException {
        var until = answerUntil;
        var doubt = false;
        while (true) {
            CliException failure;
            try {
                var response = LockAcquirer.release(api, request, lease);
                if (response.isGood() || response.code().equals("lock-not-held")) {
                    // An earlier request of ours may have done it.
                    var released = doubt || response.body().path("released").asBoolean();
                    return released ? Outcome.OURS : Outcome.LOST;
                }
                failure = response.failure();
                if (!response.isPassing() && !response.code().isEmpty()) {
                    until = System.nanoTime();
                }
            } catch (CliException unanswered) {
                failure = unanswered;
            }
            doubt = doubt || failure.isInDoubt();
            if (System.nanoTime() >= until) {
                notes.accept("%s %s will be free in %s at the latest."
                        .formatted(
                                failure.getMessage(),
                                String.join(", ", request.names()),
                                DurationText.words(remaining)));
                return Outcome.UNANSWERED;
            }
            Thread.sleep(PAUSE);
        }
    }
}

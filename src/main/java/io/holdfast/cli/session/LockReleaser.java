package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;

/**
 * Releases locks, and finds out whether they were held until the release. Each lease is released with its fencing token:
 * if the lock was lost and acquired again, its token differs and the service refuses.
 */
public final class LockReleaser {
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** Longest time that a command waits for {@link #releaseQuietly}. */
    private static final Duration QUIET_MAX = Duration.ofSeconds(2);

    private final ApiClient api;
    private final LockRequest request;
    private final List<LockBody> leases;

    private enum Outcome {
        RELEASED,
        LOST,
        UNANSWERED
    }

    LockReleaser(ApiClient api, LockRequest request, List<LockBody> leases) {
        this.api = api;
        this.request = request;
        this.leases = leases;
    }

    /**
     * Releases the leases. If a hold request is still pending, releases the locks once more, because that request could
     * acquire a lock again.
     *
     * @return false if a lease was lost before; true also if the service did not answer
     */
    boolean release(Consumer<String> notes, LeaseMonitor monitor) throws InterruptedException {
        var pending = monitor.hasPendingRequest();
        var held = release(notes, monitor.remaining());
        if (pending) {
            releaseQuietly(api, request);
        }
        return held;
    }

    boolean release(Consumer<String> notes, Duration remaining) throws InterruptedException {
        var until = System.nanoTime() + api.answerMax().toNanos();
        var held = true;
        for (var lease : leases) {
            switch (outcome(lease, until, notes, remaining)) {
                case RELEASED -> {}
                case LOST -> held = false;
                case UNANSWERED -> {
                    return held;
                }
            }
        }
        return held;
    }

    private Outcome outcome(LockBody lease, long answerUntil, Consumer<String> notes, Duration remaining)
            throws InterruptedException {
        var until = answerUntil;
        var inDoubt = false;
        while (true) {
            CliException failure;
            try {
                var response = release(lease);
                if (response.isSuccess() || response.code().equals("lock-not-held")) {
                    // An earlier attempt may have released it although its answer was lost.
                    var released = inDoubt || response.body().path("released").asBoolean();
                    return released ? Outcome.RELEASED : Outcome.LOST;
                }
                failure = response.failure();
                if (!response.isTemporary() && !response.code().isEmpty()) {
                    // A retry gets the same refusal.
                    until = System.nanoTime();
                }
            } catch (CliException unanswered) {
                failure = unanswered;
            }
            inDoubt = inDoubt || failure.isInDoubt();
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

    private ApiResponse release(LockBody lease) {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("lock_id", request.lockId());
        parameters.put("owner", request.owner());
        parameters.put("fencing_token", Long.toString(lease.fencingToken()));
        return api.delete(ApiClient.path("v1", "locks", lease.name()) + ApiClient.query(parameters));
    }

    /**
     * Releases all locks of the request; a lock that cannot be released expires. It names no fencing token, because a
     * request whose answer was lost may have acquired a lock with a token that is not known here.
     */
    public static void releaseQuietly(ApiClient api, LockRequest request) {
        try {
            releaseAll(api, request, Durations.min(api.answerMax(), QUIET_MAX));
        } catch (CliException unanswered) {
            // The locks expire.
        }
    }

    static ApiResponse releaseAll(ApiClient api, LockRequest request, Duration timeout) {
        var parameters = new LinkedHashMap<String, String>();
        if (!request.isForOne()) {
            parameters.put("names", String.join(",", request.names()));
        }
        parameters.put("lock_id", request.lockId());
        parameters.put("owner", request.owner());
        return api.delete(request.path() + ApiClient.query(parameters), timeout);
    }
}

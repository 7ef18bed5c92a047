package io.holdfast.boot.aws;

import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.store.dynamodb.call.CredentialsMissingException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Credentials for a client that is called on event loops. The SDK resolves credentials on the thread of the call, and
 * the source may block on a call to AWS. So a separate thread refreshes them, and calls get the latest ones at once, or
 * an exception with the reason. If the source fails, the last credentials stay in use.
 */
final class KeptCredentials implements AwsCredentialsProvider, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(KeptCredentials.class);

    /** Cheap: the source caches credentials, and calls AWS only minutes before they expire. */
    static final Duration REFRESH_EVERY = Duration.ofSeconds(30);

    static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private static final String PROBLEM = "credentials";

    private final AwsCredentialsProvider source;
    private final ScheduledExecutorService thread;
    private final InstantSource clock;
    private final RepeatedProblems<String> problems = new RepeatedProblems<>();
    private volatile Answer kept = new None("No AWS credentials were found: AWS has not answered yet.");

    private sealed interface Answer {}

    private record Some(AwsCredentials credentials) implements Answer {}

    /** @param why a sentence */
    private record None(String why) implements Answer {}

    /** @param clock measures how long a problem lasts */
    KeptCredentials(AwsCredentialsProvider source, ScheduledExecutorService thread, InstantSource clock) {
        this.source = source;
        this.thread = thread;
        this.clock = clock;
    }

    /** Waits for the first answer, at most {@code max}. A replica without credentials starts, and is not ready. */
    KeptCredentials start(Duration max) {
        var first = thread.submit(this::refresh);
        try {
            first.get(max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warnf("AWS credentials are late waited_ms=%d", max.toMillis());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return this;
    }

    @Override
    public AwsCredentials resolveCredentials() {
        return switch (kept) {
            case Some some -> some.credentials();
            case None none -> throw new CredentialsMissingException(none.why());
        };
    }

    /** Schedules its next run after any failure, because credentials expire. */
    private void refresh() {
        var pause = RETRY_AFTER;
        try {
            kept = new Some(source.resolveCredentials());
            pause = REFRESH_EVERY;
            given();
        } catch (RuntimeException | Error e) {
            failed(TableFailures.noCredentials(e).getMessage());
        } finally {
            refreshIn(pause);
        }
    }

    private void given() {
        problems.ended(PROBLEM, clock.instant())
                .ifPresent(ended -> LOG.infof(
                        "AWS credentials given failures=%d after_ms=%d",
                        ended.times(), ended.lasted().toMillis()));
    }

    private void failed(String why) {
        if (thread.isShutdown()) {
            return;
        }
        problems.occurred(PROBLEM, why, clock.instant())
                .ifPresent(report -> LOG.warnf("AWS credentials not given error=\"%s\"%s", why, report.suffix()));
        if (kept instanceof None) {
            kept = new None(why);
        }
    }

    private void refreshIn(Duration pause) {
        try {
            thread.schedule(this::refresh, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("AWS credentials are no longer refreshed");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

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
 * Credentials for a client that is called on event loops. The SDK asks for them on the thread of the call, and their
 * source may have to call AWS for them. So a thread of its own asks the source, again and again, and a call gets what
 * is there, or is told at once why there is nothing. What is there stays when the source fails, until AWS refuses it.
 */
final class KeptCredentials implements AwsCredentialsProvider, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(KeptCredentials.class);

    /** Costs nothing while they are fresh: the source keeps them too, and calls AWS minutes before they end. */
    static final Duration ASK_EVERY = Duration.ofSeconds(30);

    static final Duration ASK_AGAIN = Duration.ofSeconds(2);

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

    /** @param clock says how long a problem lasts */
    KeptCredentials(AwsCredentialsProvider source, ScheduledExecutorService thread, InstantSource clock) {
        this.source = source;
        this.thread = thread;
        this.clock = clock;
    }

    /** Waits for the first answer, but not for ever: whoever starts without one is not ready, and says why. */
    KeptCredentials start(Duration max) {
        var first = thread.submit(this::ask);
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

    /** Goes on whatever happens: nobody else would ask, and what is kept ends some day. */
    private void ask() {
        var pause = ASK_AGAIN;
        try {
            kept = new Some(source.resolveCredentials());
            pause = ASK_EVERY;
            given();
        } catch (RuntimeException | Error e) {
            failed(TableFailures.noCredentials(e).getMessage());
        } finally {
            askIn(pause);
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

    private void askIn(Duration pause) {
        try {
            thread.schedule(this::ask, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("AWS credentials are not asked for any more");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

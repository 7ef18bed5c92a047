package io.holdfast.boot.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.store.dynamodb.call.CredentialsMissingException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;

class KeptCredentialsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AwsCredentials FIRST = AwsBasicCredentials.create("first", "secret");
    private static final AwsCredentials SECOND = AwsBasicCredentials.create("second", "secret");

    private final HandThread thread = new HandThread();
    private volatile Supplier<AwsCredentials> source = () -> FIRST;
    private final KeptCredentials kept = new KeptCredentials(() -> source.get(), thread, InstantSource.system());

    @AfterEach
    void close() {
        kept.close();
    }

    @Test
    void aCallGetsWhatWasGivenAtTheStart() {
        kept.start(PATIENCE);
        source = KeptCredentialsTest::nobodyMayAskHere;

        assertThat(kept.resolveCredentials()).isEqualTo(FIRST);
    }

    @Test
    void whatTheSourceGivesLaterTakesItsPlace() {
        kept.start(PATIENCE);
        source = () -> SECOND;

        thread.pauseEnds();

        assertThat(kept.resolveCredentials()).isEqualTo(SECOND);
        assertThat(thread.pauses).containsExactly(KeptCredentials.REFRESH_EVERY, KeptCredentials.REFRESH_EVERY);
    }

    @Test
    void whatWasGivenStaysWhileTheSourceFails() {
        kept.start(PATIENCE);
        source = KeptCredentialsTest::refuse;

        thread.pauseEnds();

        assertThat(kept.resolveCredentials()).isEqualTo(FIRST);
        assertThat(thread.pauses).containsExactly(KeptCredentials.REFRESH_EVERY, KeptCredentials.RETRY_AFTER);
    }

    @Test
    void anErrorDoesNotEndTheAsking() {
        kept.start(PATIENCE);
        source = () -> {
            throw new NoClassDefFoundError("made up");
        };

        thread.pauseEnds();
        source = () -> SECOND;
        thread.pauseEnds();

        assertThat(kept.resolveCredentials()).isEqualTo(SECOND);
    }

    @Test
    void withoutCredentialsACallIsToldWhyAndTheyAreAskedForAgainSoon() {
        source = KeptCredentialsTest::refuse;
        kept.start(PATIENCE);

        assertThatThrownBy(kept::resolveCredentials)
                .isInstanceOf(CredentialsMissingException.class)
                .hasMessageContaining("no such role");
        assertThat(thread.pauses).containsExactly(KeptCredentials.RETRY_AFTER);
    }

    @Test
    void withoutAnyCredentialsTheSentenceNamesTheSettings() {
        source = () -> {
            throw SdkClientException.create("Unable to load credentials from any of the providers in the chain Chain("
                    + "providers=[SystemPropertyCredentialsProvider()])");
        };
        kept.start(PATIENCE);

        assertThatThrownBy(kept::resolveCredentials)
                .hasMessage("No AWS credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                        + " or AWS_PROFILE, or run Holdfast with an IAM role.");
    }

    @Test
    void aSourceThatHangsKeepsNoCallWaiting() {
        var end = new CountDownLatch(1);
        source = () -> {
            awaitQuietly(end);
            return FIRST;
        };
        kept.start(Duration.ofMillis(1));

        assertThatThrownBy(kept::resolveCredentials)
                .isInstanceOf(CredentialsMissingException.class)
                .hasMessageContaining("not answered yet");
        end.countDown();
    }

    private static AwsCredentials refuse() {
        throw SdkClientException.create("no such role");
    }

    private static AwsCredentials nobodyMayAskHere() {
        throw new AssertionError("asked on the thread of a call");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread whose pauses end when a test says so. */
    private static final class HandThread extends ScheduledThreadPoolExecutor {
        private final List<Duration> pauses = new ArrayList<>();
        private Runnable next;

        HandThread() {
            super(1);
        }

        /** What is to run at once comes through here too, without a pause. */
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long pause, TimeUnit unit) {
            if (pause == 0) {
                return super.schedule(task, pause, unit);
            }
            pauses.add(Duration.of(pause, unit.toChronoUnit()));
            next = task;
            return null;
        }

        void pauseEnds() {
            next.run();
        }
    }
}

package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.remote.KubernetesSettings;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** What waits for a thread that does not come. */
class AwsThreadsTest {
    private static final ActuatorSpec INSTANCE = new ActuatorSpec.Ec2("i-0abc", Optional.of("eu-west-3"));

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger done = new AtomicInteger();

    @AfterEach
    void release() {
        released.countDown();
    }

    @Test
    void aStopThatWaitedUntilItsTimeWasOverNeverLeaves() throws InterruptedException {
        // Whoever asks for credentials waits for the test, and keeps its thread meanwhile.
        AwsCredentialsProvider blocked = () -> {
            block();
            return Rig.CREDENTIALS.resolveCredentials();
        };
        try (var ec2 = new FakeEc2("i-0abc")) {
            var hasty = ActuatorSettings.at(ec2.url()).hasty().withAwsParallelMax(1);
            try (var rig = new Rig(hasty, KubernetesSettings.plain(ec2.url()), blocked, INSTANCE)) {
                // On a slow machine a look is over its time before it gets a thread, and never begins.
                await().until(() -> {
                    rig.look();
                    return begun.await(1, TimeUnit.SECONDS);
                });

                assertThat(rig.stop()).isEqualTo(new Outcome.Retry("aws: no answer within 300 ms"));

                released.countDown();
                // Behind the stop on the only thread, and asked again if the machine is too slow for the hasty.
                assertThat(Stream.generate(rig::state)
                                .dropWhile(State.UNKNOWN::equals)
                                .findFirst())
                        .contains(State.RUNNING);
            }
            assertThat(ec2.calls())
                    .isNotEmpty()
                    .allMatch(call -> call.form().get("Action").equals("DescribeInstances"));
        }
    }

    @Test
    void soManyMayWaitAndOneMoreIsRejected() throws InterruptedException {
        try (var threads = new AwsThreads(1)) {
            threads.execute(this::block);
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            for (var i = 0; i < AwsThreads.WAITING_MAX; i++) {
                threads.execute(done::incrementAndGet);
            }

            assertThatThrownBy(() -> threads.execute(done::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void afterTheEndNothingIsBegunAndWhatIsUnderWayIsNotCutOff() throws InterruptedException {
        var ended = new CountDownLatch(1);
        var threads = new AwsThreads(1);
        threads.execute(() -> {
            block();
            ended.countDown();
        });
        threads.execute(done::incrementAndGet);
        threads.close();
        released.countDown();

        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(done).hasValue(0);
        assertThatThrownBy(() -> threads.execute(done::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
    }

    private void block() {
        begun.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.holdfast.observe;

import static io.holdfast.lifecycle.model.Observation.State.CRASHING;
import static io.holdfast.lifecycle.model.Observation.State.RUNNING;
import static io.holdfast.lifecycle.model.Observation.State.STOPPED;
import static io.holdfast.lifecycle.model.Observation.State.UNKNOWN;
import static io.holdfast.observe.FakeCluster.NOW;
import static io.holdfast.observe.FakeCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.registry.Workload;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pods of a workload say of its service, read over HTTP. */
class PodRulesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private final FakeCluster cluster = new FakeCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void withoutASpecNothingIsObserved() {
        assertThat(cluster.seen(new ObserveSpec.None(), NOW)).isEqualTo(Observation.unknown("nothing is observed"));
        assertThat(cluster.asked()).isEmpty();
    }

    @Test
    void scaledToZeroWithoutPodsIsStopped() {
        cluster.has(0);

        assertThat(cluster.seen()).isEqualTo(new Observation(STOPPED, "scaled to 0, and no pod is left"));
    }

    @Test
    void scaledToZeroWithFinishedPodsIsStopped() {
        cluster.has(0, pod("a").phase("Succeeded"), pod("b").phase("Failed"), pod("c").evicted());

        assertThat(cluster.seen().state()).isEqualTo(STOPPED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Running", "Pending", "Unknown"})
    void scaledToZeroIsUnknownWhileATerminatingPodIsLeft(String phase) {
        cluster.has(0, pod("done").phase("Succeeded"), pod("last").phase(phase).terminating());

        assertThat(cluster.seen()).isEqualTo(Observation.unknown("is stopping: pod last is left"));
    }

    @Test
    void scaledToZeroIsUnknownWhileAPodThatIsNotYetTerminatingIsLeft() {
        cluster.has(0, pod("last"));

        assertThat(cluster.seen()).isEqualTo(Observation.unknown("is stopping: pod last is left"));
    }

    @Test
    void noPodsAtAllAreStopped() {
        cluster.has(2);

        assertThat(cluster.seen()).isEqualTo(new Observation(STOPPED, "0 of 2 pods are ready, there are no pods"));
    }

    @Test
    void aTerminatingPodDoesNotRunTheServiceEvenIfItIsReady() {
        cluster.has(2, pod("a").terminating(), pod("b"));

        assertThat(cluster.seen()).isEqualTo(new Observation(RUNNING, "1 of 2 pods are ready"));
    }

    @ParameterizedTest
    @CsvSource({"PT1M59S, UNKNOWN", "PT2M, STOPPED"})
    void onlyATerminatingPodIsUnknownUntilItIsOverdueByTheGrace(Duration overdue, Observation.State state) {
        cluster.has(1, pod("a").goneBy(NOW.minus(overdue)));

        assertThat(cluster.seen())
                .isEqualTo(new Observation(
                        state,
                        state == UNKNOWN
                                ? "is restarting: pod a: terminating"
                                : "0 of 1 pods are ready, pod a: terminating"));
    }

    @Test
    void aFinishedPodThatIsDeletedIsNoRestart() {
        cluster.has(1, pod("a").evicted().terminating());

        assertThat(cluster.seen().state()).isEqualTo(STOPPED);
    }

    @Test
    void onlyAnEvictedPodIsStopped() {
        cluster.has(1, pod("a").evicted().aged(MINUTE));

        assertThat(cluster.seen()).isEqualTo(new Observation(STOPPED, "0 of 1 pods are ready, pod a: Evicted"));
    }

    @Test
    void finishedPodsBesideReadyOnesChangeNothing() {
        cluster.has(
                1,
                pod("a").evicted().waiting("web", 9, "CrashLoopBackOff"),
                pod("b").phase("Succeeded"),
                pod("c").running("web", 0));

        assertThat(cluster.seen()).isEqualTo(new Observation(RUNNING, "1 of 1 pods are ready"));
    }

    @Test
    void aPendingPodIsStoppedAfterTheGraceWithItsPhase() {
        cluster.has(1, pod("a").phase("Pending"));

        assertThat(cluster.seen()).isEqualTo(new Observation(STOPPED, "0 of 1 pods are ready, pod a: Pending"));
    }

    @Test
    void thePodThatShouldRunTellsTheReasonAndNotAnOlderEvictedOne() {
        cluster.has(
                1,
                pod("a").evicted(),
                pod("b").waiting("web", 0, "ImagePullBackOff").phase("Pending"));

        assertThat(cluster.seen())
                .isEqualTo(new Observation(STOPPED, "0 of 1 pods are ready, pod b: ImagePullBackOff"));
    }

    @Test
    void aRunningPodThatIsNotReadyIsStoppedAfterTheGrace() {
        cluster.has(1, pod("a").initCompleted("setup").running("web", 0).notReady());

        assertThat(cluster.seen()).isEqualTo(new Observation(STOPPED, "0 of 1 pods are ready, pod a: not ready"));
    }

    @ParameterizedTest
    @CsvSource({"PT1M59S, UNKNOWN", "PT2M, STOPPED"})
    void aPodThatIsNotReadyIsUnknownWithinTheGrace(Duration age, Observation.State state) {
        cluster.has(2, pod("a").phase("Pending"), pod("b").aged(age).waiting("web", 0, "ContainerCreating"));

        assertThat(cluster.seen().state()).isEqualTo(state);
        assertThat(cluster.seen().detail())
                .isEqualTo(
                        state == UNKNOWN
                                ? "is starting: pod b: ContainerCreating"
                                : "0 of 2 pods are ready, pod a: Pending");
    }

    @Test
    void theGraceBeginsWhenANodeHasAcceptedThePod() {
        cluster.has(1, pod("a").startedBefore(MINUTE).running("web", 0).notReady());

        assertThat(cluster.seen().state()).isEqualTo(UNKNOWN);
    }

    @Test
    void partialReadinessIsRunning() {
        cluster.has(3, pod("a"), pod("b"), pod("c").phase("Pending"));

        assertThat(cluster.seen()).isEqualTo(new Observation(RUNNING, "2 of 3 pods are ready"));
    }

    @Test
    void crashLoopBackOffOfAWantedPodIsCrashing() {
        cluster.has(2, pod("a"), pod("b").running("log", 0).waiting("web", 1, "CrashLoopBackOff"));

        assertThat(cluster.seen())
                .isEqualTo(new Observation(
                        CRASHING, "1 of 2 pods are healthy, pod b: container web waits in CrashLoopBackOff"));
    }

    @Test
    void crashLoopBackOffOfAnInitContainerIsCrashingEvenWithinTheGrace() {
        cluster.has(1, pod("a").aged(MINUTE).initWaiting("setup", 1, "CrashLoopBackOff"));

        assertThat(cluster.seen())
                .isEqualTo(new Observation(
                        CRASHING, "0 of 1 pods are healthy, pod a: container setup waits in CrashLoopBackOff"));
    }

    @Test
    void aCrashLoopGoesOnWhileItsContainerRunsBetweenTwoBackOffs() {
        cluster.has(1, pod("a").waiting("web", 400, "CrashLoopBackOff"));
        cluster.seen();
        cluster.has(1, pod("a").running("web", 401).notReady());

        assertThat(cluster.seenAt(NOW.plus(MINUTE)))
                .isEqualTo(new Observation(
                        CRASHING,
                        "0 of 1 pods are healthy, pod a: container web waited in CrashLoopBackOff within 600s"));
        assertThat(cluster.seenAt(NOW.plus(WINDOW).minusMillis(1)).state()).isEqualTo(CRASHING);
        assertThat(cluster.seenAt(NOW.plus(WINDOW)).state()).isEqualTo(STOPPED);
    }

    @Test
    void aPodThatIsReadyAgainAfterABackOffIsRunning() {
        cluster.has(1, pod("a").waiting("web", 400, "CrashLoopBackOff"));
        cluster.seen();
        cluster.has(1, pod("a").running("web", 401));

        assertThat(cluster.seenAt(NOW.plus(MINUTE)).state()).isEqualTo(RUNNING);
    }

    @Test
    void aRolloutWhoseNewPodCrashesIsRunningWhileAllOldPodsAreReady() {
        cluster.has(2, pod("new").waiting("web", 7, "CrashLoopBackOff"), pod("a"), pod("b"));

        assertThat(cluster.seen()).isEqualTo(new Observation(RUNNING, "2 of 2 pods are ready"));
    }

    @Test
    void moreReadyPodsThanWantedAreAllThatAreWanted() {
        cluster.has(1, pod("a"), pod("b"));

        assertThat(cluster.seen()).isEqualTo(new Observation(RUNNING, "1 of 1 pods are ready"));
    }

    @ParameterizedTest
    @CsvSource({"2, RUNNING", "3, CRASHING"})
    void aYoungPodCountsAllItsRestartsEvenIfItIsReadyNow(int restarts, Observation.State state) {
        cluster.has(1, pod("a").aged(WINDOW.minusSeconds(1)).running("web", restarts));

        assertThat(cluster.seen().state()).isEqualTo(state);
    }

    @Test
    void restartsOverMonthsAreNoCrash() {
        for (var look = 0; look <= 40; look++) {
            // One restart in five minutes: two within any ten minutes.
            cluster.has(1, pod("a").running("web", 500 + look / 5));

            assertThat(cluster.seenAt(NOW.plus(MINUTE.multipliedBy(look))).state())
                    .as("look %d", look)
                    .isEqualTo(RUNNING);
        }
    }

    @Test
    void quickRestartsOfAnOldPodAreACrashUntilTheyAreOlderThanTheWindow() {
        cluster.has(1, pod("a").running("web", 500).running("log", 70));
        assertThat(cluster.seenAt(NOW).state()).isEqualTo(RUNNING);
        cluster.has(1, pod("a").running("web", 502).running("log", 71));
        assertThat(cluster.seenAt(NOW.plus(MINUTE)).state()).isEqualTo(RUNNING);
        cluster.has(1, pod("a").running("web", 503).running("log", 72));

        assertThat(cluster.seenAt(NOW.plus(MINUTE.multipliedBy(2))))
                .isEqualTo(new Observation(
                        CRASHING, "0 of 1 pods are healthy, pod a: container web restarted 3 times within 600s"));
        assertThat(cluster.seenAt(NOW.plus(WINDOW).minusMillis(1)).state()).isEqualTo(CRASHING);
        assertThat(cluster.seenAt(NOW.plus(WINDOW)).state()).isEqualTo(RUNNING);
    }

    @Test
    void restartsOfDifferentPodsAreCountedApart() {
        cluster.has(2, pod("a").running("web", 10), pod("b").running("web", 20));
        cluster.seen();
        cluster.has(2, pod("a").running("web", 12), pod("b").running("web", 22));

        assertThat(cluster.seenAt(NOW.plus(MINUTE)).state()).isEqualTo(RUNNING);
    }

    @Test
    void restartsOfDifferentContainersAreCountedApart() {
        cluster.has(1, pod("a").running("log", 10).running("web", 20));
        cluster.seen();
        cluster.has(1, pod("a").running("log", 12).running("web", 22));

        assertThat(cluster.seenAt(NOW.plus(MINUTE)).state()).isEqualTo(RUNNING);
    }

    @Test
    void anotherWorkloadOfTheServiceStartsWithoutMemory() {
        cluster.has(1, pod("a").running("web", 10));
        cluster.seen();
        cluster.has(1, pod("a").running("web", 20));
        cluster.scaleSays(200, FakeCluster.scale("{\"replicas\":1}").replace("\"name\":\"reports\"", "\"name\":\"x\""));
        var other = new ObserveSpec.Kubernetes(new Workload("shop", Workload.Kind.STATEFUL_SET, "x"));

        assertThat(cluster.seen(other, NOW.plus(MINUTE)).state()).isEqualTo(RUNNING);
    }
}

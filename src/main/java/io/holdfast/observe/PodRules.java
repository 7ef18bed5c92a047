package io.holdfast.observe;

import io.holdfast.kernel.Settings;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Observation.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a list of pods says of their workload. Pure. */
final class PodRules {
    private final ObserveConfig config;

    PodRules(ObserveConfig config) {
        this.config = config;
    }

    /** Finished pods do not count: Kubernetes may keep them listed for days. */
    static Observation scaledToZero(List<Pod> pods) {
        return pods.stream()
                .filter(Pod::mayRun)
                .findFirst()
                .map(pod -> Observation.unknown("is stopping: pod " + pod.name() + " is left"))
                .orElseGet(() -> new Observation(State.STOPPED, "scaled to 0, and no pod is left"));
    }

    /** @param wanted the number of replicas, at least 1 */
    Observation scaledTo(int wanted, List<Pod> pods, Restarts.Recents recents, Instant now) {
        var meant = pods.stream().filter(Pod::isMeantToRun).toList();
        var healthy = meant.stream()
                .filter(pod -> pod.condition().ready() && crash(pod, recents).isEmpty())
                .count();
        var crash = meant.stream().flatMap(pod -> crash(pod, recents).stream()).findFirst();
        var number = Math.min(healthy, wanted) + " of " + wanted + " pods are ";
        if (healthy < wanted && crash.isPresent()) {
            // A pod may be ready and crash again and again.
            return new Observation(State.CRASHING, number + "healthy, " + crash.get());
        }
        if (healthy > 0) {
            return new Observation(State.RUNNING, number + "ready");
        }
        return starting(meant, now)
                .or(() -> restarting(pods, now))
                .orElseGet(() -> new Observation(State.STOPPED, number + "ready, " + firstProblem(meant, pods)));
    }

    private Optional<Observation> starting(List<Pod> meant, Instant now) {
        return meant.stream()
                .filter(pod -> pod.startedAt().isAfter(now.minus(config.startGrace())))
                .findFirst()
                .map(pod -> Observation.unknown("is starting: " + problem(pod)));
    }

    /** A workload may delete its only pod before it creates the next one. A pod that never ends is not waited for. */
    private Optional<Observation> restarting(List<Pod> pods, Instant now) {
        return pods.stream()
                .filter(Pod::mayRun)
                .filter(pod -> pod.condition()
                        .goneBy()
                        .filter(end -> end.isAfter(now.minus(config.startGrace())))
                        .isPresent())
                .findFirst()
                .map(pod -> Observation.unknown("is restarting: " + problem(pod)));
    }

    /** Names the container and the reason, if the pod is crashing. */
    private Optional<String> crash(Pod pod, Restarts.Recents recents) {
        return pod.containers().stream()
                .flatMap(container -> crash(pod, container, recents.of(pod, container)).stream()
                        .map(reason -> "pod " + pod.name() + ": container " + container.name() + " " + reason))
                .findFirst();
    }

    private Optional<String> crash(Pod pod, Pod.Container container, Restarts.Recent recent) {
        var window = " within " + Settings.text(config.crashWindow());
        if (container.isInBackOff()) {
            return Optional.of("waits in " + Pod.BACK_OFF);
        }
        if (recent.restarts() >= config.crashRestarts()) {
            return Optional.of("restarted " + recent.restarts() + " times" + window);
        }
        // Between two back-offs the container runs for a while. That is not the end of the crash loop.
        return recent.backedOff() && !pod.condition().ready()
                ? Optional.of("waited in " + Pod.BACK_OFF + window)
                : Optional.empty();
    }

    private static String firstProblem(List<Pod> meant, List<Pod> all) {
        return (meant.isEmpty() ? all : meant)
                .stream().findFirst().map(PodRules::problem).orElse("there are no pods");
    }

    private static String problem(Pod pod) {
        return "pod " + pod.name() + ": " + pod.problem();
    }
}

package io.holdfast.observe;

import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Observation.State;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.probe.KubernetesWorkloads;
import io.holdfast.probe.KubernetesWorkloads.PodPage;
import io.holdfast.probe.KubernetesWorkloads.Scale;
import io.holdfast.probe.StatusUnknownException;
import io.holdfast.registry.Workload;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the scale of a workload, and after it all its pods. */
final class WorkloadObserver {
    private static final int PAGE_SIZE = 100;
    private static final int PAGES_MAX = 10;

    private final KubernetesWorkloads workloads;
    private final PodRules rules;
    private final Memories<Restarts> memories;

    WorkloadObserver(KubernetesWorkloads workloads, ObserveConfig config) {
        this.workloads = workloads;
        this.rules = new PodRules(config);
        this.memories = new Memories<>(config.rememberedMax(), () -> new Restarts(config.crashWindow()));
    }

    Uni<Observation> look(ServiceId service, ObserveSpec.Kubernetes spec, Instant now) {
        return scale(spec.workload()).chain(found -> found.map(scale -> pods(spec.workload(), scale)
                        .map(pods -> scale.replicas() == 0
                                ? PodRules.scaledToZero(pods)
                                : rules.scaledTo(
                                        scale.replicas(),
                                        pods,
                                        memories.of(service, spec).look(pods, now),
                                        now)))
                .orElseGet(WorkloadObserver::absent));
    }

    private static Uni<Observation> absent() {
        return Uni.createFrom().item(new Observation(State.ABSENT, "the workload does not exist"));
    }

    /**
     * Empty only if the workload is missing before and after a list of pods. Kubernetes also answers that a Deployment
     * does not exist if it cannot read its storage; then it cannot list pods either.
     */
    private Uni<Optional<Scale>> scale(Workload workload) {
        return workloads
                .scale(workload)
                .chain(found -> found.isPresent()
                        ? Uni.createFrom().item(found)
                        : workloads
                                .pods(workload.namespace(), Optional.empty(), 1, Optional.empty())
                                .chain(storageAnswers -> workloads.scale(workload)));
    }

    private Uni<List<Pod>> pods(Workload workload, Scale scale) {
        var selector = Optional.of(scale.requireSelector());
        return pods(
                page -> workloads.pods(workload.namespace(), selector, PAGE_SIZE, page),
                Optional.empty(),
                List.of(),
                1);
    }

    /** @param number of the page, from 1 */
    private static Uni<List<Pod>> pods(Pages pages, Optional<String> page, List<Pod> before, int number) {
        return pages.read(page).chain(read -> {
            var pods = new ArrayList<>(before);
            read.pods().forEach(pod -> pods.add(Pod.of(pod)));
            if (read.next().isEmpty()) {
                return Uni.createFrom().item(pods);
            }
            if (number == PAGES_MAX) {
                throw new StatusUnknownException("the workload has more than " + PAGE_SIZE * PAGES_MAX + " pods");
            }
            return pods(pages, read.next(), pods, number + 1);
        });
    }

    private interface Pages {
        Uni<PodPage> read(Optional<String> page);
    }
}

package io.holdfast.probe;

import io.holdfast.power.model.AppStatus;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.probe.KubernetesWorkloads.PodPage;
import io.holdfast.registry.Workload;
import io.holdfast.remote.KubernetesApi;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/**
 * Probes the workload of an app: its wanted replicas and its pods. Terminating and finished pods count, too: while the
 * pod object exists, its containers may still run.
 */
final class KubernetesProbe {
    private final KubernetesWorkloads workloads;

    KubernetesProbe(KubernetesApi api) {
        this.workloads = new KubernetesWorkloads(api);
    }

    /** Reads the scale first and the pods after it. A start between the two reads is found only by the next probe. */
    Uni<Result> probe(Workload workload) {
        return workloads.scale(workload).chain(found -> {
            var scale = found.orElseThrow(() -> KubernetesWorkloads.answered(404));
            if (scale.replicas() > 0) {
                return Uni.createFrom().item(result(AppStatus.UP, "scaled to " + scale.replicas()));
            }
            return workloads
                    .pods(workload.namespace(), Optional.of(scale.requireSelector()), 1, Optional.empty())
                    .map(KubernetesProbe::scaledToZero);
        });
    }

    private static Result scaledToZero(PodPage page) {
        if (!page.pods().isEmpty()) {
            var pod = page.pods().get(0).path("metadata").path("name").asText("?");
            return result(AppStatus.UP, "scaled to 0, but pod " + pod + " is left");
        }
        KubernetesWorkloads.require(page.next().isEmpty(), "is an incomplete list of pods");
        return result(AppStatus.DOWN, "scaled to 0, and no pod is left");
    }

    private static Result result(AppStatus status, String detail) {
        return new Result(status, Optional.empty(), detail);
    }
}

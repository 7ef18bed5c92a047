package io.holdfast.lifecycle.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.Workload;
import java.net.URI;

/** Where to see what really runs of a service. */
public sealed interface ObserveSpec {
    /** Nothing is observed. The status changes only by what callers write. */
    record None() implements ObserveSpec {}

    /** The replicas and pods of a workload. */
    record Kubernetes(Workload workload) implements ObserveSpec {}

    /** @param policy how an answer is judged; not {@code kubernetes} */
    record Url(URI url, ProbePolicy policy) implements ObserveSpec {
        public Url {
            ProbeSpec.checkUrl("observe.url", url);
            if (policy == ProbePolicy.KUBERNETES) {
                throw new InvalidInputException("observe.probe", "one of http-200, http-cautious");
            }
        }
    }
}

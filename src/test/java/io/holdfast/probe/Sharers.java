package io.holdfast.probe;

import io.holdfast.registry.AppName;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.Sharer;
import io.holdfast.registry.Workload;
import java.net.URI;
import java.util.Optional;

/** Apps to be probed. */
final class Sharers {
    static final Workload WORKLOAD = new Workload("shop", Workload.Kind.DEPLOYMENT, "reports");

    private Sharers() {}

    static Sharer http200(URI url) {
        return http(ProbePolicy.HTTP_200, url, 1);
    }

    static Sharer cautious(URI url) {
        return http(ProbePolicy.HTTP_CAUTIOUS, url, 1);
    }

    static Sharer http(ProbePolicy policy, URI url, int confirmations) {
        return named("reports", new ProbeSpec(policy, Optional.of(url), Optional.empty(), confirmations));
    }

    static Sharer kubernetes(Workload workload) {
        return named("reports", new ProbeSpec(ProbePolicy.KUBERNETES, Optional.empty(), Optional.of(workload), 1));
    }

    static Sharer withoutUrl(ProbePolicy policy) {
        return named("reports", new ProbeSpec(policy, Optional.empty(), Optional.empty(), 1));
    }

    static Sharer named(String name, ProbeSpec spec) {
        return new Sharer(new AppName(name), spec);
    }
}

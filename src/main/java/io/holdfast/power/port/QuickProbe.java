package io.holdfast.power.port;

import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;

/** Probes an app once from this replica, without confirmations. Never fails and never calls a status gateway. */
public interface QuickProbe {
    Uni<AppProbe.Result> probeOnce(Sharer app);
}

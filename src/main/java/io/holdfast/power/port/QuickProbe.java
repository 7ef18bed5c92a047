package io.holdfast.power.port;

import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;

/** One look at an app from here, unconfirmed. Never fails, and never asks another Holdfast. */
public interface QuickProbe {
    Uni<AppProbe.Result> probeOnce(Sharer app);
}

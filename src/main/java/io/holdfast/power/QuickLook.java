package io.holdfast.power;

import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;

/** One look at an app from here, unconfirmed. Never fails, and never asks another Holdfast. */
public interface QuickLook {
    Uni<AppProbe.Result> look(Sharer app);
}

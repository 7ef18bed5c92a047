package io.holdfast.kernel;

import io.smallrye.mutiny.Uni;
import java.time.Duration;

/** Waits without holding a thread. */
public final class Pause {
    private Pause() {}

    /** Completes when the duration is over. */
    public static Uni<Void> of(Duration duration) {
        return Uni.createFrom().voidItem().onItem().delayIt().by(duration);
    }
}

package io.holdfast.kernel;

import io.smallrye.mutiny.Uni;
import java.time.Duration;

/** A delay that blocks no thread. */
public final class Pause {
    private Pause() {}

    public static Uni<Void> of(Duration duration) {
        return Uni.createFrom().voidItem().onItem().delayIt().by(duration);
    }
}

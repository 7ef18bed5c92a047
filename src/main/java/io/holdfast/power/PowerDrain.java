package io.holdfast.power;

import jakarta.inject.Singleton;

/** Ends what would otherwise keep a server that is told to go: its successor looks after what is left. */
@Singleton
public class PowerDrain {
    private final Reconciler reconciler;
    private final Verifier verifier;

    PowerDrain(Reconciler reconciler, Verifier verifier) {
        this.reconciler = reconciler;
        this.verifier = verifier;
    }

    /** Requests under way answer how far they have come, and give their locks back. */
    public void begin() {
        reconciler.stop();
        verifier.stop();
    }
}

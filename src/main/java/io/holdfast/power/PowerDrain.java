package io.holdfast.power;

import io.holdfast.power.action.StatePoller;
import io.holdfast.power.reconcile.Reconciler;
import jakarta.inject.Singleton;

/** Ends what would otherwise keep a server that is told to go: its successor looks after what is left. */
@Singleton
public class PowerDrain {
    private final Reconciler reconciler;
    private final StatePoller poller;

    PowerDrain(Reconciler reconciler, StatePoller poller) {
        this.reconciler = reconciler;
        this.poller = poller;
    }

    /** Requests under way answer how far they have come, and give their locks back. */
    public void begin() {
        reconciler.stop();
        poller.stop();
    }
}

package io.holdfast.power;

import io.holdfast.power.action.StatePoller;
import io.holdfast.power.reconcile.Reconciler;
import jakarta.inject.Singleton;

/** Ends waits of power on shutdown. Another replica, or this one after its restart, continues what is pending. */
@Singleton
public class PowerDrain {
    private final Reconciler reconciler;
    private final StatePoller poller;

    PowerDrain(Reconciler reconciler, StatePoller poller) {
        this.reconciler = reconciler;
        this.poller = poller;
    }

    /** Requests in progress answer with the current state and release their locks. */
    public void begin() {
        reconciler.stop();
        poller.stop();
    }
}

package io.holdfast.lock.hold;

import io.holdfast.lock.keepalive.LeaseLoss;
import java.util.ArrayList;
import java.util.List;

/** What the meters would show. */
public final class KeepAliveCounts implements KeepAliveListener {
    int holds;
    int leases;
    final List<LeaseLoss.Cause> lost = new ArrayList<>();

    @Override
    public void holds(int open) {
        holds = open;
    }

    @Override
    public void holdLost(LeaseLoss.Cause cause) {
        lost.add(cause);
    }

    @Override
    public void autoRenewals(int now) {
        leases = now;
    }
}

package io.holdfast.lock;

import java.util.ArrayList;
import java.util.List;

/** What the meters would show. */
final class KeepCounts implements KeepListener {
    int holds;
    int leases;
    final List<Loss.Cause> lost = new ArrayList<>();

    @Override
    public void holds(int open) {
        holds = open;
    }

    @Override
    public void holdLost(Loss.Cause cause) {
        lost.add(cause);
    }

    @Override
    public void autoRenewals(int now) {
        leases = now;
    }
}

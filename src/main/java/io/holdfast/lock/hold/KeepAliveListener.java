package io.holdfast.lock.hold;

import io.holdfast.lock.keepalive.LeaseLoss;

/** Hears how leases that are kept alive at this replica fare. */
public interface KeepAliveListener {
    KeepAliveListener NONE = new KeepAliveListener() {
        @Override
        public void holds(int open) {}

        @Override
        public void holdLost(LeaseLoss.Cause cause) {}

        @Override
        public void autoRenewals(int leases) {}
    };

    /** @param open how many locks are held by a connection now */
    void holds(int open);

    void holdLost(LeaseLoss.Cause cause);

    /** @param leases how many are renewed for their holders now */
    void autoRenewals(int leases);
}

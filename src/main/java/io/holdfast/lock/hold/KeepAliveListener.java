package io.holdfast.lock.hold;

import io.holdfast.lock.keepalive.LeaseLoss;

/** Receives events of the leases that this replica renews. */
public interface KeepAliveListener {
    KeepAliveListener NONE = new KeepAliveListener() {
        @Override
        public void holds(int open) {}

        @Override
        public void holdLost(LeaseLoss.Cause cause) {}

        @Override
        public void autoRenewals(int leases) {}
    };

    /** @param open the number of locks that are held by a connection */
    void holds(int open);

    void holdLost(LeaseLoss.Cause cause);

    /** @param leases the number of leases with auto-renewal */
    void autoRenewals(int leases);
}

package io.holdfast.lock;

/** Hears how leases that are kept alive at this replica fare. */
public interface KeepListener {
    KeepListener NONE = new KeepListener() {
        @Override
        public void holds(int open) {}

        @Override
        public void holdLost(Loss.Cause cause) {}

        @Override
        public void autoRenewals(int leases) {}
    };

    /** @param open how many locks are held by a connection now */
    void holds(int open);

    void holdLost(Loss.Cause cause);

    /** @param leases how many are renewed for their holders now */
    void autoRenewals(int leases);
}

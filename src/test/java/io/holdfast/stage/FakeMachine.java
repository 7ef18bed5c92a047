package io.holdfast.stage;

/** Obeys at once, or when it is told to. For tests that are about who gives which order, not about what is ordered. */
public final class FakeMachine implements Machine {
    private volatile String state = "RUNNING";
    private volatile boolean slow;

    @Override
    public String state() {
        return state;
    }

    @Override
    public void stop() {
        state = slow ? "STOPPING" : "STOPPED";
    }

    @Override
    public void start() {
        state = "RUNNING";
    }

    /** From now on it goes on stopping until {@link #finish}. */
    public void beSlow() {
        slow = true;
    }

    public void finish() {
        state = "STOPPED";
    }
}

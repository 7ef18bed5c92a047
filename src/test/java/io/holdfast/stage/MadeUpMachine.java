package io.holdfast.stage;

/** Obeys at once. For tests that are about who gives which order, not about what is ordered. */
public final class MadeUpMachine implements Machine {
    private volatile String state = "RUNNING";

    @Override
    public String state() {
        return state;
    }

    @Override
    public void stop() {
        state = "STOPPED";
    }

    @Override
    public void start() {
        state = "RUNNING";
    }
}

package io.holdfast.stage;

/** What a webhook stops and starts. */
public interface Machine {
    /** One of RUNNING, STOPPING, STOPPED, STARTING. */
    String state();

    void stop();

    void start();
}

package io.holdfast.store;

import java.time.Duration;

/** Hears what a store goes through to give an answer. Must not block or throw. */
public interface StoreTelemetry {
    StoreTelemetry NONE = new StoreTelemetry() {
        @Override
        public void called(String operation, int retries, Duration took, boolean answered) {}

        @Override
        public void clockOffset(Duration offset) {}
    };

    /** @param answered false when every attempt failed */
    void called(String operation, int retries, Duration took, boolean answered);

    /** How far the store's clock is ahead of ours, as far as that can be proven. */
    void clockOffset(Duration offset);
}

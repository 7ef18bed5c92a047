package io.holdfast.store;

import java.time.Duration;

/** Receives durations, retries and the clock offset of a store. Must not block or throw. */
public interface StoreTelemetry {
    StoreTelemetry NONE = new StoreTelemetry() {
        @Override
        public void called(String operation, int retries, Duration took, boolean answered) {}

        @Override
        public void clockOffset(Duration offset) {}
    };

    /** @param answered false if every attempt failed */
    void called(String operation, int retries, Duration took, boolean answered);

    /** How far the clock of the store is provably ahead of this machine's. */
    void clockOffset(Duration offset);
}

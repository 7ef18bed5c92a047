package io.holdfast.lock.queue;

import java.time.Duration;

/** Hears how those who waited in line at this replica fared. */
public interface WaitListener {
    WaitListener NONE = new WaitListener() {
        @Override
        public void joined() {}

        @Override
        public void left(End end, Duration waited) {}

        @Override
        public void handedOver(Duration took) {}

        @Override
        public void turnedAway() {}
    };

    enum End {
        GRANTED,
        GAVE_UP,
        /** The caller went away. */
        ABANDONED,
        FAILED
    }

    void joined();

    void left(End end, Duration waited);

    /** @param took from the release by one holder to the grant to the next */
    void handedOver(Duration took);

    /** Too many waited here already. */
    void turnedAway();
}

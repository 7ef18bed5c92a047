package io.holdfast.lock.queue;

import java.time.Duration;

/** Receives the results of waits at this replica. */
public interface WaitListener {
    WaitListener NONE = new WaitListener() {
        @Override
        public void joined() {}

        @Override
        public void left(End end, Duration waited) {}

        @Override
        public void handedOver(Duration took) {}

        @Override
        public void refused() {}
    };

    enum End {
        GRANTED,
        /** The wait was over, or the queue was full. */
        GAVE_UP,
        /** The caller disconnected. */
        ABANDONED,
        FAILED
    }

    /** A waiter got a ticket. */
    void joined();

    /** The wait of a waiter with a ticket has ended. */
    void left(End end, Duration waited);

    /** @param took the time from the release by one holder to the grant to the next */
    void handedOver(Duration took);

    /** A caller was refused because too many callers wait at this replica. */
    void refused();
}

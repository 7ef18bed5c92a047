package io.holdfast.lock;

import jakarta.inject.Singleton;

/** Ends what goes on at this replica for somebody who is connected to it. */
@Singleton
public class LockDrain {
    private final WaitingRoom room;
    private final HoldService holds;

    public LockDrain(WaitingRoom room, HoldService holds) {
        this.room = room;
        this.holds = holds;
    }

    /** Does not wait for the end: whoever is connected is told, and the connection ends after that. */
    public void begin() {
        room.close();
        holds.close().subscribe().with(told -> {}, failure -> {});
    }
}

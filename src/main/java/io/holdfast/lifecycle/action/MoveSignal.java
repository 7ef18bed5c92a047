package io.holdfast.lifecycle.action;

import java.util.concurrent.atomic.AtomicReference;

/** Passes on that this replica has written a move. */
public final class MoveSignal {
    private final AtomicReference<Runnable> listener = new AtomicReference<>(() -> {});

    /** @param newListener must not block or throw */
    public void listen(Runnable newListener) {
        listener.set(newListener);
    }

    public void signal() {
        listener.get().run();
    }
}

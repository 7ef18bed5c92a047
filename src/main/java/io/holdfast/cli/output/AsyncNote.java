package io.holdfast.cli.output;

import java.time.Duration;

/** A message that is written on its own thread, so that a suspended terminal or an unread pipe does not block the command. */
public final class AsyncNote {
    /** Longest time to wait for the message to be written. */
    private static final Duration MAX = Duration.ofSeconds(1);

    private final Thread writer;

    private AsyncNote(Thread writer) {
        this.writer = writer;
    }

    public static AsyncNote begin(Runnable message) {
        return new AsyncNote(Thread.ofPlatform().daemon().name("async-note").start(message));
    }

    public void await() throws InterruptedException {
        writer.join(MAX);
    }
}

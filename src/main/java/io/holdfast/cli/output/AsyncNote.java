package io.holdfast.cli.output;

import java.time.Duration;

/** Something that is said beside what goes on: a terminal that is halted, or a pipe that nobody reads, stops nothing. */
public final class AsyncNote {
    /** So long it is waited for, if nobody reads it. */
    private static final Duration MAX = Duration.ofSeconds(1);

    private final Thread speaker;

    private AsyncNote(Thread speaker) {
        this.speaker = speaker;
    }

    public static AsyncNote begin(Runnable words) {
        return new AsyncNote(Thread.ofPlatform().daemon().name("aside").start(words));
    }

    public void await() throws InterruptedException {
        speaker.join(MAX);
    }
}

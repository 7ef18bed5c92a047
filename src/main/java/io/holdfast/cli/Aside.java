package io.holdfast.cli;

import java.time.Duration;

/** Something that is said beside what goes on: a terminal that is halted, or a pipe that nobody reads, stops nothing. */
final class Aside {
    /** So long it is waited for, if nobody reads it. */
    private static final Duration MAX = Duration.ofSeconds(1);

    private final Thread speaker;

    private Aside(Thread speaker) {
        this.speaker = speaker;
    }

    static Aside begin(Runnable words) {
        return new Aside(Thread.ofPlatform().daemon().name("aside").start(words));
    }

    void await() throws InterruptedException {
        speaker.join(MAX);
    }
}

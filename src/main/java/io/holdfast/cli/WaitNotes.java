package io.holdfast.cli;

import io.holdfast.http.wire.LockBody;
import io.holdfast.http.wire.ProblemBody;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Objects;

/**
 * Tells people on stderr whom they wait for: a line when it begins and when the holder changes; on a terminal it is one
 * line that counts down. Safe for concurrent use.
 */
final class WaitNotes implements Taker.WaitLine, AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final String REWRITE = "\r\u001b[K";

    private final Api api;
    private final PrintStream err;
    private final boolean terminal;
    private final Thread looker =
            Thread.ofPlatform().daemon().name("wait-notes").unstarted(this::look);
    private volatile String lock;
    private String last = "";
    private boolean unfinished;

    WaitNotes(Api api, World world) {
        this.api = api;
        this.err = world.streams().err();
        this.terminal = world.streams().terminals().err();
    }

    @Override
    public synchronized void blocked(Answer refusal) {
        var problem = api.read(refusal.body(), ProblemBody.class);
        if (problem.lock() == null) {
            tell(refusal.sentence(), refusal.sentence());
            return;
        }
        lock = problem.lock().name();
        held(problem.lock(), problem.waiting());
        if (looker.getState() == Thread.State.NEW) {
            looker.start();
        }
    }

    @Override
    public synchronized void troubled(Failure trouble) {
        tell(trouble.getMessage(), trouble.getMessage());
    }

    @Override
    public synchronized void close() {
        looker.interrupt();
        lock = null;
        if (unfinished) {
            err.print(REWRITE);
            err.flush();
            unfinished = false;
        }
    }

    /** What changes besides the holder is no news, except where it overwrites what was there. */
    private void held(LockBody held, Integer waiting) {
        var line = waiting == null || waiting < 2 ? "" : ", %d in line".formatted(waiting);
        var sentence = held.status().equals("active")
                ? "waiting for '%s', held by %s for another %s at most%s"
                        .formatted(held.name(), held.owner(), Durations.words(held.remainingMs()), line)
                : "waiting for '%s', which is kept for those in line%s".formatted(held.name(), line);
        tell(held.name() + held.lockId() + held.status(), sentence);
    }

    private void tell(String news, String sentence) {
        if (terminal) {
            err.print(REWRITE + "holdfast: " + Screen.oneLine(sentence));
            unfinished = true;
        } else if (!Objects.equals(news, last)) {
            err.println("holdfast: " + Screen.oneLine(sentence));
        }
        last = news;
        err.flush();
    }

    private void look() {
        try {
            while (true) {
                Thread.sleep(LOOK_EVERY);
                var name = lock;
                if (name != null) {
                    show(name);
                }
            }
        } catch (InterruptedException over) {
            // Nobody waits any more.
        }
    }

    private void show(String name) {
        try {
            var answer = api.get(Api.path("v1", "locks", name));
            if (answer.isGood()) {
                var held = api.read(answer.body(), LockBody.class);
                synchronized (this) {
                    if (lock != null) {
                        held(held, held.waiting());
                    }
                }
            }
        } catch (Failure unanswered) {
            // Whoever waits is told by its own request.
        }
    }
}

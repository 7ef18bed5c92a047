package io.holdfast.cli;

import io.holdfast.http.wire.LockBody;
import io.holdfast.http.wire.ProblemBody;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Tells people on stderr whom they wait for: a line when it begins and when the holder changes; on a terminal it is one
 * line that counts down. Safe for concurrent use.
 */
final class WaitNotes implements Taker.WaitLine, AutoCloseable {
    /** A look is a read of the store, and many may wait. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);

    private static final Duration COUNT_EVERY = Duration.ofSeconds(1);
    private static final int LOOK_AFTER_COUNTS = 5;
    private static final String REWRITE = "\r\u001b[K";
    private static final String WRAP_OFF = "\u001b[?7l";
    private static final String WRAP_ON = "\u001b[?7h";

    /** What is longer than a line cannot be written over. */
    private static final int LINE_MAX = 79;

    private static final String ELLIPSIS = "...";

    private final Api api;
    private final PrintStream err;
    private final boolean terminal;
    private final Thread looker =
            Thread.ofPlatform().daemon().name("wait-notes").unstarted(this::look);
    private LockBody lock;
    private Integer waiting;
    private Long begunNanos;
    private volatile String got;
    private long seenNanos;
    private String last = "";
    private boolean unfinished;

    WaitNotes(Api api, World world) {
        this.api = api;
        this.err = world.streams().err();
        this.terminal = world.canRewrite(world.streams().terminals().err());
    }

    @Override
    public synchronized void blocked(Answer refusal) {
        if (begunNanos == null) {
            begunNanos = System.nanoTime();
        }
        var problem = api.read(refusal.body(), ProblemBody.class);
        if (problem.lock() == null) {
            tell(refusal.sentence(), refusal.sentence());
            return;
        }
        saw(problem.lock(), problem.waiting());
        if (looker.getState() == Thread.State.NEW) {
            looker.start();
        }
    }

    @Override
    public synchronized void troubled(Failure trouble) {
        tell(trouble.getMessage(), trouble.getMessage());
    }

    /** Whoever was told of a wait is told of its end. */
    void got(List<LockBody> locks) {
        got = locks.stream().map(one -> "'" + one.name() + "'").collect(Collectors.joining(", "));
    }

    /** What was taken has to be kept meanwhile, whether anybody reads or not. */
    @Override
    public void close() {
        looker.interrupt();
        if (last.isEmpty()) {
            // Nobody has waited.
            return;
        }
        try {
            Aside.begin(this::finish).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void finish() {
        lock = null;
        if (unfinished) {
            err.print(REWRITE);
        }
        if (begunNanos != null && got != null) {
            var took = Durations.words(Duration.ofNanos(System.nanoTime() - begunNanos));
            err.println("holdfast: " + Screen.oneLine("got %s after %s".formatted(got, took)));
        }
        err.flush();
        unfinished = false;
    }

    private void saw(LockBody held, Integer inLine) {
        lock = held;
        waiting = inLine;
        seenNanos = System.nanoTime();
        show();
    }

    private void show() {
        var line = waiting == null || waiting < 2 ? "" : ", %d in line".formatted(waiting);
        var left = Durations.words(Duration.ofMillis(lock.remainingMs()).minusNanos(System.nanoTime() - seenNanos));
        String sentence;
        if (!lock.status().equals("active")) {
            sentence = "waiting for '%s', which is kept for those in line%s".formatted(lock.name(), line);
        } else if (terminal) {
            // What changes comes first: the end may not fit.
            sentence = "waiting for another %s at most for '%s', held by %s%s"
                    .formatted(left, lock.name(), lock.owner(), line);
        } else {
            sentence = "waiting for '%s', held by %s for another %s at most%s"
                    .formatted(lock.name(), lock.owner(), left, line);
        }
        tell(lock.name() + lock.lockId() + lock.status(), sentence);
    }

    /** What changes besides the holder is no news, except where it overwrites what was there. */
    private void tell(String news, String sentence) {
        if (terminal) {
            err.print(REWRITE + WRAP_OFF + cut("holdfast: " + Screen.oneLine(sentence)) + WRAP_ON);
            unfinished = true;
        } else if (!Objects.equals(news, last)) {
            err.println("holdfast: " + Screen.oneLine(sentence));
        }
        last = news;
        err.flush();
    }

    private static String cut(String line) {
        return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX - ELLIPSIS.length()) + ELLIPSIS;
    }

    private void look() {
        try {
            for (var count = 1; true; count++) {
                Thread.sleep(terminal ? COUNT_EVERY : LOOK_EVERY);
                if (terminal && count % LOOK_AFTER_COUNTS != 0) {
                    countDown();
                } else {
                    lookAgain();
                }
            }
        } catch (InterruptedException over) {
            // Nobody waits any more.
        }
    }

    private synchronized void countDown() {
        if (lock != null) {
            show();
        }
    }

    private void lookAgain() {
        String name;
        synchronized (this) {
            if (lock == null) {
                return;
            }
            name = lock.name();
        }
        try {
            var answer = api.get(Api.path("v1", "locks", name));
            if (answer.isGood()) {
                var held = api.read(answer.body(), LockBody.class);
                synchronized (this) {
                    if (lock != null) {
                        saw(held, held.waiting());
                    }
                }
            }
        } catch (Failure unanswered) {
            // Whoever waits is told by its own request.
        }
    }
}

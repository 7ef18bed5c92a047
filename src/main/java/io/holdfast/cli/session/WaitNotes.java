package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.AsyncNote;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Output;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.lock.LockBody;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows on stderr which lock a command waits for and who holds it: a line when the wait begins and when the holder changes.
 * On a terminal it is one line that is rewritten every second. Names that do not fit on it are shown in full on a line above.
 * Thread-safe.
 */
final class WaitNotes implements WaitProgress, AutoCloseable {
    /** Without a terminal. Each query reads the store, and many clients may wait. */
    private static final Duration QUERY_EVERY = Duration.ofSeconds(30);

    private static final Duration REWRITE_EVERY = Duration.ofSeconds(1);

    /** On a terminal. */
    private static final int REWRITES_PER_QUERY = 5;

    private static final String REWRITE = "\r\u001b[K";
    private static final String WRAP_OFF = "\u001b[?7l";
    private static final String WRAP_ON = "\u001b[?7h";

    private static final String PREFIX = "holdfast: ";
    private static final String ELLIPSIS = "...";

    private final ApiClient api;
    private final CliEnvironment environment;
    private final PrintStream err;
    private final boolean terminal;
    private final Thread refresher =
            Thread.ofPlatform().daemon().name("wait-notes").unstarted(this::refresh);
    private LockBody lock;
    private Integer waiting;
    private Long begunNanos;
    private volatile String acquired;
    private long queriedNanos;
    private String lastKey = "";
    private boolean unfinished;
    private boolean failing;
    private int columns;

    WaitNotes(ApiClient api, CliEnvironment environment) {
        this.api = api;
        this.environment = environment;
        this.err = environment.streams().err();
        this.terminal = environment.canRewrite(environment.streams().terminals().err());
    }

    @Override
    public synchronized void blocked(ApiResponse refusal) {
        begin();
        var problem = api.read(refusal.body(), ProblemBody.class);
        if (problem.lock() == null) {
            print(refusal.sentence(), refusal.sentence(), "");
            return;
        }
        update(problem.lock(), problem.waiting());
        if (refresher.getState() == Thread.State.NEW) {
            refresher.start();
        }
    }

    @Override
    public synchronized void failed(CliException failure) {
        begin();
        failing = true;
        print(failure.getMessage(), failure.getMessage() + " Retrying.", "");
    }

    private void begin() {
        if (begunNanos == null) {
            begunNanos = System.nanoTime();
        }
    }

    /** The locks were acquired: {@link #close()} reports that, and how long it took. */
    void acquired(List<LockBody> locks) {
        acquired = locks.stream().map(one -> "'" + one.name() + "'").collect(Collectors.joining(", "));
    }

    /**
     * Waits only briefly for stderr, which may be an unread pipe or a suspended terminal: the caller must begin to renew the
     * locks.
     */
    @Override
    public void close() {
        refresher.interrupt();
        if (lastKey.isEmpty()) {
            return;
        }
        try {
            AsyncNote.begin(this::finish).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void finish() {
        lock = null;
        if (unfinished) {
            err.print(REWRITE);
        }
        if (begunNanos != null && acquired != null) {
            var took = DurationText.words(Duration.ofNanos(System.nanoTime() - begunNanos));
            err.println(PREFIX + Output.oneLine("acquired %s after %s".formatted(acquired, took)));
        }
        err.flush();
        unfinished = false;
    }

    private void update(LockBody current, Integer waiters) {
        lock = current;
        waiting = waiters;
        failing = false;
        queriedNanos = System.nanoTime();
        show();
    }

    private void show() {
        var held = lock.status().equals("active");
        var names = held
                ? "waiting for '%s', held by %s".formatted(lock.name(), lock.owner())
                : "waiting for '%s', which is reserved for the queue".formatted(lock.name());
        var left = Duration.ofMillis(lock.remainingMs()).minusNanos(System.nanoTime() - queriedNanos);
        var changing = Stream.of(held ? LeaseEnd.describe(lock, left) : "", queueLength())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        print(lock.name() + lock.lockId() + lock.status(), names, changing);
    }

    private String queueLength() {
        return waiting == null || waiting < 2 ? "" : "%d waiting".formatted(waiting);
    }

    /**
     * @param key a new line is printed only if this differs from the last call
     * @param changing the part that is rewritten on a terminal; may be empty
     */
    private void print(String key, String sentence, String changing) {
        var whole = PREFIX + Output.oneLine(changing.isEmpty() ? sentence : sentence + ", " + changing);
        if (!terminal) {
            if (!key.equals(lastKey)) {
                err.println(whole);
            }
        } else if (fits(whole)) {
            rewrite(whole);
        } else {
            if (!key.equals(lastKey)) {
                err.println((unfinished ? REWRITE : "") + PREFIX + Output.oneLine(sentence));
                unfinished = false;
            }
            if (!changing.isEmpty()) {
                rewrite(PREFIX + Output.oneLine(changing));
            }
        }
        lastKey = key;
        err.flush();
    }

    /** A line that reaches the last column may be wrapped, and a wrapped line cannot be rewritten. */
    private boolean fits(String line) {
        if (columns == 0) {
            columns = environment.columns();
        }
        return line.length() < columns;
    }

    private void rewrite(String line) {
        err.print(REWRITE + WRAP_OFF + cut(line) + WRAP_ON);
        unfinished = true;
    }

    /** For terminals that are too narrow even for the changing part. */
    private String cut(String line) {
        return fits(line) ? line : line.substring(0, Math.max(0, columns - 1 - ELLIPSIS.length())) + ELLIPSIS;
    }

    private void refresh() {
        try {
            for (var count = 1; true; count++) {
                Thread.sleep(terminal ? REWRITE_EVERY : QUERY_EVERY);
                if (terminal && count % REWRITES_PER_QUERY != 0) {
                    countDown();
                } else {
                    query();
                }
            }
        } catch (InterruptedException closed) {
            // The wait is over.
        }
    }

    private synchronized void countDown() {
        // A failure stays visible until the service answers.
        if (lock != null && !failing) {
            show();
        }
    }

    private void query() {
        String name;
        synchronized (this) {
            if (lock == null) {
                return;
            }
            name = lock.name();
        }
        try {
            var response = api.get(ApiClient.path("v1", "locks", name));
            if (response.isSuccess()) {
                var current = api.read(response.body(), LockBody.class);
                var width = terminal ? environment.columns() : 0;
                synchronized (this) {
                    if (lock != null) {
                        columns = width;
                        update(current, current.waiting());
                    }
                }
            }
        } catch (CliException unanswered) {
            // The request that waits reports the failure.
        }
    }
}

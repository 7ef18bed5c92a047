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
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells people on stderr which lock they wait for and who holds it: a line when the wait begins and when the holder
 * changes. On a terminal it is one line that is rewritten every second. If the names do not fit on it, they get a line of
 * their own above it and are never cut. Safe for concurrent use.
 */
final class WaitNotes implements LockAcquirer.WaitLine, AutoCloseable {
    /** A look is a read of the store, and many may wait. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);

    private static final Duration COUNT_EVERY = Duration.ofSeconds(1);
    private static final int LOOK_AFTER_COUNTS = 5;
    private static final String REWRITE = "\r\u001b[K";
    private static final String WRAP_OFF = "\u001b[?7l";
    private static final String WRAP_ON = "\u001b[?7h";

    private static final String PREFIX = "holdfast: ";
    private static final String ELLIPSIS = "...";

    private final ApiClient api;
    private final CliEnvironment environment;
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
    private boolean troubled;
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
            tell(refusal.sentence(), refusal.sentence(), "");
            return;
        }
        saw(problem.lock(), problem.waiting());
        if (looker.getState() == Thread.State.NEW) {
            looker.start();
        }
    }

    @Override
    public synchronized void troubled(CliException trouble) {
        begin();
        troubled = true;
        tell(trouble.getMessage(), trouble.getMessage() + " Trying again.", "");
    }

    private void begin() {
        if (begunNanos == null) {
            begunNanos = System.nanoTime();
        }
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
        if (begunNanos != null && got != null) {
            var took = DurationText.words(Duration.ofNanos(System.nanoTime() - begunNanos));
            err.println(PREFIX + Output.oneLine("got %s after %s".formatted(got, took)));
        }
        err.flush();
        unfinished = false;
    }

    private void saw(LockBody held, Integer inLine) {
        lock = held;
        waiting = inLine;
        troubled = false;
        seenNanos = System.nanoTime();
        show();
    }

    private void show() {
        var held = lock.status().equals("active");
        var names = held
                ? "waiting for '%s', held by %s".formatted(lock.name(), lock.owner())
                : "waiting for '%s', which is kept for those in line".formatted(lock.name());
        var left = Duration.ofMillis(lock.remainingMs()).minusNanos(System.nanoTime() - seenNanos);
        var changing = Stream.of(held ? LeaseEnd.words(lock, left) : "", inLine())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        tell(lock.name() + lock.lockId() + lock.status(), names, changing);
    }

    private String inLine() {
        return waiting == null || waiting < 2 ? "" : "%d in line".formatted(waiting);
    }

    /**
     * @param news printed as a new line only if this differs from the last one
     * @param changing what may differ each time; may be empty
     */
    private void tell(String news, String sentence, String changing) {
        var whole = PREFIX + Output.oneLine(changing.isEmpty() ? sentence : sentence + ", " + changing);
        if (!terminal) {
            if (!Objects.equals(news, last)) {
                err.println(whole);
            }
        } else if (fits(whole)) {
            rewrite(whole);
        } else {
            if (!Objects.equals(news, last)) {
                err.println((unfinished ? REWRITE : "") + PREFIX + Output.oneLine(sentence));
                unfinished = false;
            }
            if (!changing.isEmpty()) {
                rewrite(PREFIX + Output.oneLine(changing));
            }
        }
        last = news;
        err.flush();
    }

    /** A line that reaches the last column could be wrapped, and a wrapped line cannot be rewritten. */
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

    /** Only on terminals that are too narrow even for what changes. */
    private String cut(String line) {
        return fits(line) ? line : line.substring(0, Math.max(0, columns - 1 - ELLIPSIS.length())) + ELLIPSIS;
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
        // A trouble stays on the screen until the service has answered.
        if (lock != null && !troubled) {
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
            var response = api.get(ApiClient.path("v1", "locks", name));
            if (response.isGood()) {
                var held = api.read(response.body(), LockBody.class);
                var width = terminal ? environment.columns() : 0;
                synchronized (this) {
                    if (lock != null) {
                        columns = width;
                        saw(held, held.waiting());
                    }
                }
            }
        } catch (CliException unanswered) {
            // Whoever waits is told by its own request.
        }
    }
}

package io.holdfast.cli.token;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The token that a command writes to its stdout. It is used until the service refuses it, or until shortly before it expires
 * if it is a JWT. The command runs once at a time.
 */
public final class TokenCommand implements TokenSource {
    /** A JWT is renewed this long before it expires, or a fifth of its life if that is less. */
    private static final Duration MARGIN_MAX = Duration.ofMinutes(1);

    private static final int LIFE_PARTS = 5;

    /** The command is not run more often, also if the service refuses each of its tokens. */
    private static final Duration RUN_EVERY_MIN = Duration.ofSeconds(1);

    /** Limits the time until the renewal, so that it does not overflow. */
    private static final Duration LIFE_MAX = Duration.ofDays(365);

    private final ShellOutput command;
    private final InstantSource clock;
    private final ReentrantLock running = new ReentrantLock();
    private volatile Known known;
    private Long lastRunNanos;
    private String lastFailure;

    public TokenCommand(String command, Duration timeout, InstantSource clock) {
        this.command = new ShellOutput(command, timeout);
        this.clock = clock;
    }

    /** @param renewAtNanos by {@link System#nanoTime()}; null if only the service can tell */
    private record Known(Token token, Long renewAtNanos) {
        boolean isDue() {
            return renewAtNanos != null && System.nanoTime() - renewAtNanos >= 0;
        }
    }

    @Override
    public String name() {
        return COMMAND_VARIABLE;
    }

    @Override
    public boolean isRenewable() {
        return true;
    }

    @Override
    public Optional<Token> current() {
        var before = known;
        if (before == null) {
            return Optional.of(first());
        }
        // While one thread runs the command, the others use the token that is about to expire.
        if (before.isDue() && running.tryLock()) {
            try {
                if (known == before && mayRun()) {
                    run();
                }
            } catch (CliException failed) {
                // The service decides whether the last token is still valid.
            } finally {
                running.unlock();
            }
        }
        return Optional.of(known.token());
    }

    private Token first() {
        running.lock();
        try {
            if (known == null && !mayRun()) {
                throw new CliException(Exit.UNAUTHENTICATED, lastFailure);
            }
            if (known == null) {
                run();
            }
            return known.token();
        } finally {
            running.unlock();
        }
    }

    @Override
    public Renewal renewed(Token refused) {
        running.lock();
        try {
            if (known.token().equals(refused) && mayRun()) {
                run();
            }
            if (!known.token().equals(refused)) {
                return new Renewal.Replaced(known.token());
            }
            return lastFailure == null ? new Renewal.Unchanged() : new Renewal.Failed(lastFailure);
        } catch (CliException failed) {
            return new Renewal.Failed(failed.getMessage());
        } finally {
            running.unlock();
        }
    }

    private boolean mayRun() {
        return lastRunNanos == null || System.nanoTime() - lastRunNanos >= RUN_EVERY_MIN.toNanos();
    }

    private void run() {
        try {
            var token = command.token();
            known = new Known(token, renewAt(token));
            lastFailure = null;
        } catch (CliException failed) {
            lastFailure = failed.getMessage();
            throw failed;
        } finally {
            lastRunNanos = System.nanoTime();
        }
    }

    /** A new token that has expired by the local clock shows that this clock is wrong. Then the service decides. */
    private Long renewAt(Token token) {
        return token.times()
                .flatMap(JwtTimes::expiresAt)
                .map(end -> Duration.between(clock.instant(), end))
                .filter(Duration::isPositive)
                .map(life -> Durations.min(life, LIFE_MAX))
                .map(life -> System.nanoTime()
                        + life.minus(Durations.min(MARGIN_MAX, life.dividedBy(LIFE_PARTS)))
                                .toNanos())
                .orElse(null);
    }
}

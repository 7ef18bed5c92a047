package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boot.ProgramCalls.Answer;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Clients that take, renew and give back a few locks between them as fast as they are answered, and remember what they
 * were told. They outlive the programs that they call, so what one program said is held against the next.
 */
final class Storm {
    private static final int WORKERS = 8;
    private static final int LOCKS = 12;
    private static final double RENEW_SHARE = 0.4;

    private final List<ExpectedLock> locks;
    private final Random seeds;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private final AtomicLong firstUnansweredAt = new AtomicLong(Long.MAX_VALUE);

    Storm(long seed) {
        this.seeds = new Random(seed);
        var run = UUID.randomUUID();
        this.locks = IntStream.range(0, LOCKS)
                .mapToObj(i -> new ExpectedLock("storm-" + run + "-" + i))
                .toList();
    }

    int acknowledged() {
        return acknowledged.get();
    }

    int unanswered() {
        return unanswered.get();
    }

    /** Requests that were answered with 503. */
    int turnedAway() {
        return turnedAway.get();
    }

    /** When the first client was left without an answer or turned away, by {@link System#nanoTime()}. */
    long firstUnansweredAt() {
        return firstUnansweredAt.get();
    }

    /**
     * Rages until every client was left without an answer, or turned away.
     *
     * @param onAcknowledged called after each answer, by the client that got it
     */
    void rage(URI address, Runnable onAcknowledged) {
        try (var calls = new ProgramCalls(address);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var workers = new ArrayList<Future<?>>();
            for (var i = 0; i < WORKERS; i++) {
                var owner = "worker-" + i;
                var random = new Random(seeds.nextLong());
                workers.add(threads.submit(() -> work(calls, owner, random, onAcknowledged)));
            }
            for (var worker : workers) {
                worker.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in the storm", e);
        }
    }

    /** Everything that any client was told is still so. */
    void check(URI address) {
        try (var calls = new ProgramCalls(address)) {
            locks.forEach(lock -> lock.checkAndSettle(calls.get("/v1/locks/" + lock.name())));
        }
    }

    private void work(ProgramCalls calls, String owner, Random random, Runnable onAcknowledged) {
        try {
            while (step(calls, locks.get(random.nextInt(LOCKS)), owner, random)) {
                acknowledged.incrementAndGet();
                onAcknowledged.run();
            }
            turnedAway.incrementAndGet();
        } catch (UncheckedIOException noAnswer) {
            unanswered.incrementAndGet();
        }
        firstUnansweredAt.accumulateAndGet(System.nanoTime(), Math::min);
    }

    /** False when the program turned the request away: it may have happened or not, as without an answer. */
    private static boolean step(ProgramCalls calls, ExpectedLock lock, String owner, Random random) {
        var lease = lock.heldBy(owner);
        if (lease.isEmpty()) {
            return acquire(calls, lock, owner);
        }
        var lockId = lease.get().lockId();
        return random.nextDouble() < RENEW_SHARE
                ? renew(calls, lock, owner, lockId)
                : release(calls, lock, owner, lockId);
    }

    private static boolean acquire(ProgramCalls calls, ExpectedLock lock, String owner) {
        var lockId = ProgramCalls.newLockId();
        lock.acquireSent(lockId, owner);
        var answer = calls.acquire(lock.name(), owner, lockId);
        switch (answer.status()) {
            case 201 -> lock.granted(answer);
            case 409 -> lock.acquireRefused(lockId);
            default -> assertTurnedAway(answer);
        }
        return answer.status() != 503;
    }

    private static boolean renew(ProgramCalls calls, ExpectedLock lock, String owner, String lockId) {
        lock.renewSent();
        var answer = calls.renew(lock.name(), owner, lockId);
        switch (answer.status()) {
            case 200 -> lock.renewed(answer);
            default -> assertTurnedAway(answer);
        }
        return answer.status() != 503;
    }

    private static boolean release(ProgramCalls calls, ExpectedLock lock, String owner, String lockId) {
        lock.releaseSent();
        var answer = calls.release(lock.name(), owner, lockId);
        switch (answer.status()) {
            case 200 -> {
                assertThat(answer.body().path("released").asBoolean())
                        .as("%s was held by %s with %s", lock.name(), owner, lockId)
                        .isTrue();
                lock.released(lockId);
            }
            default -> assertTurnedAway(answer);
        }
        return answer.status() != 503;
    }

    private static void assertTurnedAway(Answer answer) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(503);
    }
}

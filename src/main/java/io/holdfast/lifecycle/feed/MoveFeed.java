package io.holdfast.lifecycle.feed;

import io.holdfast.kernel.Timers;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Lets readers wait for moves. One poll of this replica serves all of them, and moves that several readers need are read
 * once. A reader asks for the next batch when it has passed on the last one, so a slow reader takes no memory. Blocks no
 * thread. Thread-safe.
 */
public final class MoveFeed {
    private final LifecycleStore store;
    private final FeedTerms terms;
    private final Timers timers;
    private final FeedCache cache;
    private final Set<CompletableFuture<Void>> waiting = new HashSet<>();
    private int places;
    private boolean polling;
    private boolean pollAgain;
    private boolean pollScheduled;
    private volatile boolean stopped;
    private volatile FeedPosition known = FeedPosition.START;

    public MoveFeed(LifecycleStore store, MoveSignal signal, FeedTerms terms, Timers timers) {
        this.store = store;
        this.terms = terms;
        this.timers = timers;
        this.cache = new FeedCache(store, terms.batchMax());
        signal.listen(this::poll);
    }

    /** The position after the last move, for a reader that wants only later ones. */
    public Uni<FeedPosition> end() {
        return store.feedEnd().invoke(this::advance);
    }

    /**
     * A place for one reader. It has it from its first move to its last, also while it passes moves on to a slow client.
     *
     * @throws TooManyReadersException if there is none
     */
    public synchronized Place enter() {
        if (places >= terms.readersMax()) {
            throw new TooManyReadersException(places);
        }
        places++;
        return new Place();
    }

    /** Leaving it again does nothing. */
    public final class Place {
        private boolean isLeft;

        private Place() {}

        public void leave() {
            synchronized (MoveFeed.this) {
                places -= isLeft ? 0 : 1;
                isLeft = true;
            }
        }
    }

    /** The moves after a position. Waits for the first one, at most for {@code waitMax}. */
    public Uni<Batch> next(FeedPosition after, Duration waitMax) {
        return Uni.createFrom().deferred(() -> {
            if (isBehind(after)) {
                return read(after);
            }
            var wake = new CompletableFuture<Void>();
            var timer = timers.after(waitMax, () -> wake.complete(null));
            wait(wake);
            return Uni.createFrom()
                    .completionStage(wake)
                    .onTermination()
                    .invoke(() -> {
                        timer.cancel();
                        leave(wake);
                    })
                    .chain(() ->
                            isBehind(after) ? read(after) : Uni.createFrom().item(new Batch(List.of(), false, after)));
        });
    }

    /** From now on nothing is waited for, so that readers can continue at another replica. */
    public void stop() {
        stopped = true;
        wakeAll();
    }

    public boolean isStopped() {
        return stopped;
    }

    public synchronized int readers() {
        return waiting.size();
    }

    private boolean isBehind(FeedPosition after) {
        var end = known;
        return IntStream.range(0, LifecycleStore.SHARDS).anyMatch(shard -> after.sequence(shard) < end.sequence(shard));
    }

    private void wait(CompletableFuture<Void> wake) {
        synchronized (this) {
            waiting.add(wake);
        }
        if (stopped) {
            wake.complete(null);
        } else {
            poll();
        }
    }

    private synchronized void leave(CompletableFuture<Void> wake) {
        waiting.remove(wake);
    }

    private void wakeAll() {
        List<CompletableFuture<Void>> woken;
        synchronized (this) {
            woken = List.copyOf(waiting);
        }
        woken.forEach(wake -> wake.complete(null));
    }

    /** Looks for the end of the feed, now or after the present look. */
    private void poll() {
        synchronized (this) {
            if (waiting.isEmpty()) {
                return;
            }
            if (polling) {
                pollAgain = true;
                return;
            }
            polling = true;
        }
        store.feedEnd().subscribe().with(this::advance, failure -> polled());
    }

    private void advance(FeedPosition end) {
        boolean isNew;
        synchronized (this) {
            var before = known;
            for (var shard = 0; shard < LifecycleStore.SHARDS; shard++) {
                if (end.sequence(shard) > known.sequence(shard)) {
                    known = known.with(shard, end.sequence(shard));
                }
            }
            isNew = !known.equals(before);
        }
        if (isNew) {
            wakeAll();
        }
        polled();
    }

    private void polled() {
        boolean again;
        synchronized (this) {
            polling = false;
            again = pollAgain;
            pollAgain = false;
        }
        if (again) {
            poll();
        } else {
            schedulePoll();
        }
    }

    private void schedulePoll() {
        synchronized (this) {
            if (pollScheduled || stopped || waiting.isEmpty()) {
                return;
            }
            pollScheduled = true;
        }
        timers.after(terms.pollEvery(), () -> {
            synchronized (this) {
                pollScheduled = false;
            }
            poll();
        });
    }

    private Uni<Batch> read(FeedPosition after) {
        var end = known;
        var parts = IntStream.range(0, LifecycleStore.SHARDS)
                .filter(shard -> after.sequence(shard) < end.sequence(shard))
                .mapToObj(shard -> cache.read(shard, after.sequence(shard), end.sequence(shard)))
                .toList();
        return Uni.join().all(parts).andFailFast().map(read -> batch(after, read));
    }

    private static Batch batch(FeedPosition after, List<FeedCache.Part> parts) {
        var moves = new ArrayList<Batch.Positioned>();
        var position = after;
        var hasGap = false;
        for (var part : parts) {
            hasGap |= part.hasGap();
            for (FeedEntry entry : part.entries()) {
                position = position.with(part.shard(), entry.sequence());
                moves.add(new Batch.Positioned(entry.move(), position));
            }
            position = position.with(part.shard(), part.end());
        }
        return new Batch(moves, hasGap, position);
    }
}

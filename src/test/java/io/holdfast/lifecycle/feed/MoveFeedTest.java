package io.holdfast.lifecycle.feed;

import static io.holdfast.lifecycle.model.ServiceStatus.DEPLOYING;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.model.ServiceStatus.STOPPED;
import static io.holdfast.lifecycle.port.LifecycleFixtures.RULES;
import static io.holdfast.lifecycle.port.LifecycleFixtures.anId;
import static io.holdfast.lifecycle.port.LifecycleFixtures.deploy;
import static io.holdfast.lifecycle.port.LifecycleFixtures.registration;
import static io.holdfast.lifecycle.port.LifecycleFixtures.set;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.TestClock;
import io.holdfast.lifecycle.action.MoveSignal;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.port.FakeLifecycleStore;
import io.holdfast.lifecycle.port.FeedPosition;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoveFeedTest {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration WAIT = Duration.ofSeconds(15);
    private static final int BATCH = 5;
    private static final int READERS = 50;

    private final TestClock clock = new TestClock(NOON);
    private final FakeTimers timers = new FakeTimers(clock);
    private final FakeLifecycleStore store = new FakeLifecycleStore();
    private final MoveFeed feed = replica();

    private MoveFeed replica() {
        return new MoveFeed(store, new MoveSignal(), new FeedTerms(POLL, BATCH, READERS), timers);
    }

    /** As another replica writes it. */
    private Move written() {
        var change = registration(anId(), clock.instant());
        assertThat(await(store.commit(change, clock.instant()))).isTrue();
        return change.move();
    }

    private CompletableFuture<Batch> next(FeedPosition after) {
        return feed.next(after, WAIT).subscribeAsCompletionStage();
    }

    private static List<Move> moves(Batch batch) {
        return batch.moves().stream().map(Batch.Positioned::move).toList();
    }

    /** Reads until there is nothing more. */
    private List<Move> readAll(FeedPosition from) {
        var all = new ArrayList<Move>();
        var position = from;
        while (true) {
            var batch = next(position);
            timers.advance(WAIT);
            var read = await(Uni.createFrom().completionStage(batch));
            assertThat(read.hasGap()).isFalse();
            if (read.moves().isEmpty()) {
                return all;
            }
            all.addAll(moves(read));
            position = read.position();
        }
    }

    @Test
    void aReaderWaitsUntilThereIsAMove() {
        var batch = next(await(feed.end()));
        assertThat(batch).isNotDone();

        var move = written();
        timers.advance(POLL);

        assertThat(moves(await(Uni.createFrom().completionStage(batch)))).containsExactly(move);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void aMoveOfThisReplicaIsReadAtOnce() {
        var signal = new MoveSignal();
        var local = new MoveFeed(store, signal, new FeedTerms(POLL, BATCH, READERS), timers);
        var batch = local.next(await(local.end()), WAIT).subscribeAsCompletionStage();
        var move = written();

        signal.signal();

        assertThat(moves(await(Uni.createFrom().completionStage(batch)))).containsExactly(move);
    }

    @Test
    void aWaitThatIsOverBringsAnEmptyBatchAtTheSamePosition() {
        var end = await(feed.end());
        var batch = next(end);

        timers.advance(WAIT);

        assertThat(await(Uni.createFrom().completionStage(batch))).isEqualTo(new Batch(List.of(), false, end));
    }

    @Test
    void aReaderThatComesBackMissesNothing() {
        var start = await(feed.end());
        var all = IntStream.range(0, 100).mapToObj(i -> written()).toList();

        assertThat(readAll(start)).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aReaderCanContinueAfterEachMoveOfABatchAtAnotherReplica() {
        var start = await(feed.end());
        var all = IntStream.range(0, 20).mapToObj(i -> written()).toList();
        await(feed.end());
        var first = await(Uni.createFrom().completionStage(next(start)));

        for (var i = 0; i < first.moves().size(); i++) {
            var read = new ArrayList<>(moves(first).subList(0, i + 1));
            read.addAll(readAll(
                    FeedPosition.parse("id", first.moves().get(i).position().text())));
            assertThat(read).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void theMovesOfOneServiceKeepTheirOrder() {
        var start = await(feed.end());
        var service = anId();
        var change = registration(service, clock.instant());
        for (var i = 0; i < 50; i++) {
            assertThat(await(store.commit(change, clock.instant()))).isTrue();
            written();
            var current = change.after().orElseThrow();
            var next =
                    current.status() == RUNNING ? set(STOPPED) : current.status() == STOPPED ? set(RUNNING) : deploy();
            change = RULES.decide(current, current.status() == DEPLOYING ? set(RUNNING) : next, clock.instant())
                    .change()
                    .orElseThrow();
        }

        var versions = readAll(start).stream()
                .filter(move -> move.service().equals(service))
                .map(Move::version)
                .toList();

        assertThat(versions).hasSize(50).isSorted();
    }

    @Test
    void aReaderThatComesTooLateIsToldThatMovesAreMissing() {
        var start = await(feed.end());
        written();
        store.forgetFeed();
        await(feed.end());

        var batch = await(Uni.createFrom().completionStage(next(start)));

        assertThat(batch.hasGap()).isTrue();
        assertThat(batch.moves()).isEmpty();
        assertThat(batch.position()).isEqualTo(await(feed.end()));
    }

    @Test
    void manyReadersCostWhatOneCosts() {
        var end = await(feed.end());
        var readers = IntStream.range(0, READERS).mapToObj(i -> next(end)).toList();
        store.endReads.set(0);

        timers.advance(POLL.multipliedBy(10));
        assertThat(store.endReads).hasValue(10);
        var move = written();
        timers.advance(POLL);

        assertThat(readers)
                .allSatisfy(reader -> assertThat(moves(await(Uni.createFrom().completionStage(reader))))
                        .containsExactly(move));
        assertThat(store.feedReads).hasValue(1);
    }

    @Test
    void withoutReadersNothingIsAsked() {
        next(await(feed.end()));
        timers.advance(WAIT);
        timers.advance(POLL);
        store.endReads.set(0);

        timers.advance(Duration.ofMinutes(10));

        assertThat(store.endReads).hasValue(0);
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void oneReaderMoreThanAllowedIsRefusedAlthoughTheOthersDoNotWait() {
        var places = IntStream.range(0, READERS).mapToObj(i -> feed.enter()).toList();

        assertThatThrownBy(feed::enter).isInstanceOf(TooManyReadersException.class);

        places.getFirst().leave();
        places.getFirst().leave();
        feed.enter();
        assertThatThrownBy(feed::enter).isInstanceOf(TooManyReadersException.class);
    }

    @Test
    void aReaderThatDisconnectsGivesUpItsPlace() {
        var end = await(feed.end());
        var subscription = feed.next(end, WAIT).subscribe().with(batch -> {});
        assertThat(feed.readers()).isEqualTo(1);

        subscription.cancel();

        assertThat(feed.readers()).isZero();
    }

    @Test
    void aPollThatFailsIsRepeated() {
        var batch = next(await(feed.end()));
        store.isAway = true;
        timers.advance(POLL.multipliedBy(3));
        store.isAway = false;
        var move = written();
        timers.advance(POLL);

        assertThat(moves(await(Uni.createFrom().completionStage(batch)))).containsExactly(move);
    }

    @Test
    void aReadThatFailsIsNotRemembered() {
        var start = await(feed.end());
        var move = written();
        await(feed.end());
        store.isAway = true;
        assertThat(next(start)).isCompletedExceptionally();
        store.isAway = false;

        assertThat(moves(await(Uni.createFrom().completionStage(next(start))))).containsExactly(move);
    }

    @Test
    void aStopEndsAllWaits() {
        var batch = next(await(feed.end()));

        feed.stop();

        assertThat(await(Uni.createFrom().completionStage(batch)).moves()).isEmpty();
        assertThat(await(feed.next(await(feed.end()), WAIT)).moves()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1-2-3", "1-2-3-4-5", "a-0-0-0", "-1-0-0-0", "1-2-3-9999999999999999999"})
    void whatIsNotAPositionIsRefused(String text) {
        assertThatThrownBy(() -> FeedPosition.parse("Last-Event-ID", text)).isInstanceOf(InvalidInputException.class);
    }
}

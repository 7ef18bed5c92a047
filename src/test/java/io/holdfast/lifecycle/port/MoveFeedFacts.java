package io.holdfast.lifecycle.port;

import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.port.ServiceDriver.KEPT;
import static io.holdfast.lifecycle.port.ServiceDriver.anId;
import static io.holdfast.lifecycle.port.ServiceDriver.anIdOf;
import static io.holdfast.lifecycle.port.ServiceDriver.deciding;
import static io.holdfast.lifecycle.port.ServiceDriver.idsOf;
import static io.holdfast.lifecycle.port.ServiceDriver.registering;
import static io.holdfast.lifecycle.port.ServiceDriver.repair;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.Move;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The feed of every store of services. */
interface MoveFeedFacts extends ServiceListFacts {
    /** Another store on the same data, if there can be one, as another replica has. */
    LifecycleStore otherStore();

    @Test
    default void theFeedOfAnEmptyStoreStartsAtZero() {
        assertThat(await(store().feedEnd())).isEqualTo(FeedPosition.START);
        assertThat(await(store().feed(0, 0, 10))).isEmpty();
    }

    @Test
    default void everyMoveIsInThePartOfItsServiceWithTheNextNumber() {
        var first = registering(anIdOf(2), NOON);
        var second = registering(anIdOf(2), NOON.minusSeconds(60));
        var elsewhere = registering(anIdOf(3), NOON);
        var third = deciding(first.after().orElseThrow(), repair(RUNNING), NOON.plusSeconds(1));
        for (var change : List.of(first, second, elsewhere, third)) {
            assertThat(driver().commit(change)).isTrue();
        }

        assertThat(driver().feed(2))
                .containsExactly(
                        new FeedEntry(2, 1, first.move()),
                        new FeedEntry(2, 2, second.move()),
                        new FeedEntry(2, 3, third.move()));
        assertThat(driver().feed(3)).containsExactly(new FeedEntry(3, 1, elsewhere.move()));
        assertThat(await(store().feedEnd())).isEqualTo(new FeedPosition(List.of(0L, 0L, 3L, 1L)));
    }

    @Test
    default void theRemovalIsInTheFeed() {
        var service = driver().register(anIdOf(0), NOON);
        driver().remove(service, NOON.plusSeconds(1));

        assertThat(driver().feed(0).getLast().move().to()).isEmpty();
    }

    @Test
    default void theFeedIsReadInPagesAfterANumber() {
        var service = driver().register(anIdOf(1), NOON);
        for (var i = 1; i <= 11; i++) {
            service = driver().write(service, repair(i % 2 == 0 ? IDLE : RUNNING), NOON.plusSeconds(i));
        }
        var whole = driver().feed(1);
        assertThat(whole).hasSize(12);

        for (var limit = 1; limit <= 13; limit++) {
            var read = new ArrayList<FeedEntry>();
            var page = await(store().feed(1, 0, limit));
            while (!page.isEmpty()) {
                assertThat(page).hasSizeLessThanOrEqualTo(limit);
                read.addAll(page);
                page = await(store().feed(1, page.getLast().sequence(), limit));
            }
            assertThat(read).isEqualTo(whole);
        }
        assertThat(await(store().feed(1, 12, 10))).isEmpty();
        assertThat(await(store().feed(1, 99, 10))).isEmpty();
    }

    /** Two stores and many threads write to one part. */
    @Test
    default void theNumbersOfConcurrentMovesHaveNoGap() {
        var ids = idsOf(3).limit(races()).toList();
        var commits = IntStream.range(0, ids.size())
                .mapToObj(i -> (i % 2 == 0 ? store() : otherStore())
                        .commit(registering(ids.get(i), NOON.plusMillis(i)), NOON.plus(KEPT))
                        .runSubscriptionOn(Infrastructure.getDefaultExecutor()))
                .toList();

        assertThat(await(Uni.join().all(commits).andFailFast())).containsOnly(true);

        var feed = driver().feed(3);
        assertThat(feed)
                .extracting(FeedEntry::sequence)
                .isEqualTo(LongStream.rangeClosed(1, ids.size()).boxed().toList());
        assertThat(feed).extracting(entry -> entry.move().service()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(await(store().feedEnd()).sequence(3)).isEqualTo(ids.size());
    }

    /** All of them have seen the same version, at two stores. */
    @Test
    default void oneOfManyConcurrentMovesOfAServiceIsWritten() {
        var service = driver().register(anId(), NOON);
        var changes = IntStream.range(0, races())
                .mapToObj(i -> deciding(service, repair(RUNNING), NOON.plusMillis(i)))
                .toList();

        var answers = await(Uni.join()
                .all(IntStream.range(0, changes.size())
                        .mapToObj(i -> (i % 2 == 0 ? store() : otherStore())
                                .commit(changes.get(i), NOON.plus(KEPT))
                                .runSubscriptionOn(Infrastructure.getDefaultExecutor()))
                        .toList())
                .andFailFast());

        assertThat(answers).containsOnlyOnce(true);
        var written = changes.get(answers.indexOf(true));
        assertThat(driver().find(service.id())).isEqualTo(written.after());
        assertThat(driver().history(service.id())).extracting(Move::version).hasSize(2);
        assertThat(driver().history(service.id()).getFirst()).isEqualTo(written.move());
        assertThat(driver().feed(LifecycleStore.shardOf(service.id()))).hasSize(2);
    }
}

package io.holdfast.store.dynamodb.service;

import static io.holdfast.lifecycle.port.ServiceDriver.KEPT;
import static io.holdfast.lifecycle.port.ServiceDriver.OTHER_SPEC;
import static io.holdfast.lifecycle.port.ServiceDriver.anIdOf;
import static io.holdfast.lifecycle.port.ServiceDriver.deploy;
import static io.holdfast.lifecycle.port.ServiceDriver.registering;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.store.dynamodb.service.ServiceRig.SHARD;
import static io.holdfast.store.dynamodb.service.ServiceRig.TRANSACTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.Cursor;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.suite.Slow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests of the store of services, and its items. */
@Slow
class DynamoDbLifecycleItemsTest {
    private final ServiceRig rig = new ServiceRig();

    @AfterEach
    void close() {
        rig.close();
    }

    // What each operation costs.

    @Test
    void aCommitIsOneTransaction() {
        var service = rig.driver.register(anIdOf(SHARD), NOON);
        rig.driver.remove(rig.driver.write(service, deploy(), NOON), NOON);

        assertThat(rig.proxy.counts()).isEqualTo(Map.of(TRANSACTION, 3));
    }

    @Test
    void commitsOfOneReplicaDoNotLoseTheEndToEachOther() {
        var commits = IntStream.range(0, 20)
                .mapToObj(i -> rig.store
                        .commit(registering(anIdOf(SHARD), NOON), NOON.plus(KEPT))
                        .subscribeAsCompletionStage())
                .toList();

        assertThat(commits).allSatisfy(commit -> assertThat(commit.join()).isTrue());

        assertThat(rig.proxy.counts()).isEqualTo(Map.of(TRANSACTION, 20));
    }

    @Test
    void readsAndASpecAreOneRequestEach() {
        var service = rig.driver.register(anIdOf(SHARD), NOON);
        rig.proxy.resetCounts();

        rig.driver.find(service.id());
        await(rig.store.pause());
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("GetItem", 2));
        await(rig.store.feedEnd());
        await(rig.store.replaceSpec(service.id(), OTHER_SPEC));
        await(rig.store.feed(SHARD, 0, 2));
        await(rig.store.history(service.id(), 10, Optional.empty()));
        await(rig.store.shard(SHARD, 10, Optional.empty()));
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("GetItem", 2, "BatchGetItem", 1, "UpdateItem", 1, "Query", 3));
        await(rig.store.list(new ServiceQuery(Optional.empty(), "", 10, Optional.empty())));
        assertThat(rig.proxy.count("Query")).isEqualTo(3 + LifecycleStore.SHARDS);
    }

    // Items.

    @Test
    void rowsAndEntriesHaveATtlAndServicesHaveNone() {
        var change = registering(anIdOf(SHARD), NOON);
        rig.driver.commit(change);
        var end = Long.toString(NOON.plus(KEPT).getEpochSecond() + 1);

        assertThat(rig.item(ServiceItem.rowKey(change.move())).get("ttl").n()).isEqualTo(end);
        assertThat(rig.item(ServiceItem.entryKey(SHARD, 2)).get("ttl").n()).isEqualTo(end);
        assertThat(rig.item(ServiceItem.key(change.id()))).isNotEmpty().doesNotContainKey("ttl");
        assertThat(rig.item(ServiceItem.endKey(SHARD))).isNotEmpty().doesNotContainKey("ttl");
    }

    /** A newer version, which runs beside this one during an update, may have another status. */
    @Test
    void aServiceThatCannotBeReadIsLeftOutOfLists() {
        var good = rig.driver.register(anIdOf(SHARD), NOON);
        var strange = rig.driver.register(anIdOf(SHARD), NOON);
        makeUnreadable(strange);

        assertThat(await(rig.store.list(page(10, Optional.empty()))).items())
                .contains(good)
                .hasSize(2);
        assertThat(await(rig.store.shard(SHARD, 10, Optional.empty())).items())
                .contains(good)
                .hasSize(2);
        assertThatThrownBy(() -> rig.driver.find(strange.id()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HIBERNATING");
    }

    /** The first page of one shard contains nothing, and that of another one the last service. */
    @Test
    void aServiceIsListedAfterThoseThatShortPagesOfOtherShardsHaveNotReached() {
        var first = rig.driver.register(named("a", SHARD), NOON);
        var second = rig.driver.register(named("b", SHARD), NOON);
        var last = rig.driver.register(named("z", SHARD + 1), NOON);
        makeUnreadable(first);

        var found = new ArrayList<Service>();
        Optional<Cursor> next = Optional.empty();
        do {
            var page = await(rig.store.list(page(1, next)));
            found.addAll(page.items());
            next = page.next();
        } while (next.isPresent());

        assertThat(found).hasSize(3).startsWith(second).endsWith(last);
    }

    private static ServiceQuery page(int limit, Optional<Cursor> after) {
        return new ServiceQuery(Optional.empty(), "", limit, after);
    }

    private static ServiceId named(String beginning, int shard) {
        return Stream.generate(() -> new ServiceId(beginning + UUID.randomUUID()))
                .filter(id -> LifecycleStore.shardOf(id) == shard)
                .findFirst()
                .orElseThrow();
    }

    private void makeUnreadable(Service service) {
        var item = new HashMap<>(rig.item(ServiceItem.key(service.id())));
        item.computeIfPresent(
                ServiceItem.BODY, (name, body) -> Attributes.text(body.s().replace("IDLE", "HIBERNATING")));
        rig.put(item);
    }

    @Test
    void aDeletedEntryIsAGapOfTheFeed() {
        rig.driver.register(anIdOf(SHARD), NOON);
        rig.driver.register(anIdOf(SHARD), NOON);
        rig.delete(ServiceItem.entryKey(SHARD, 2));

        assertThat(await(rig.store.feed(SHARD, 0, 3)))
                .extracting(FeedEntry::sequence)
                .isEqualTo(List.of(1L, 3L));
    }

    /** A query may see a part of a transaction. */
    @Test
    void anEntryThatBecomesVisibleAfterALaterOneIsNotMissed() {
        rig.driver.register(anIdOf(SHARD), NOON);
        rig.driver.register(anIdOf(SHARD), NOON);
        var whole = rig.driver.feed(SHARD);
        var late = rig.item(ServiceItem.entryKey(SHARD, 2));
        rig.delete(ServiceItem.entryKey(SHARD, 2));
        rig.proxy.beforeNext("Query", () -> {});
        rig.proxy.beforeNext("Query", () -> rig.put(late));

        assertThat(await(rig.store.feed(SHARD, 0, 3))).isEqualTo(whole).hasSize(3);
    }

    @Test
    void aLastEntryThatBecomesVisibleAfterTheEndIsNotMissed() {
        rig.driver.register(anIdOf(SHARD), NOON);
        var whole = rig.driver.feed(SHARD);
        var late = rig.item(ServiceItem.entryKey(SHARD, 2));
        rig.delete(ServiceItem.entryKey(SHARD, 2));
        rig.proxy.beforeNext("Query", () -> {});
        rig.proxy.beforeNext("Query", () -> rig.put(late));

        assertThat(await(rig.store.feed(SHARD, 1, 1))).isEqualTo(whole.subList(1, 2));
    }
}

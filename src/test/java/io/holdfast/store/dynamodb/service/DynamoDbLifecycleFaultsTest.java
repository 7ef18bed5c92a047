package io.holdfast.store.dynamodb.service;

import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.port.ServiceDriver.KEPT;
import static io.holdfast.lifecycle.port.ServiceDriver.OTHER_SPEC;
import static io.holdfast.lifecycle.port.ServiceDriver.anIdOf;
import static io.holdfast.lifecycle.port.ServiceDriver.deciding;
import static io.holdfast.lifecycle.port.ServiceDriver.deploy;
import static io.holdfast.lifecycle.port.ServiceDriver.registering;
import static io.holdfast.lifecycle.port.ServiceDriver.repair;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceDriver;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Commits with lost answers, conflicts and outages, their requests, and items that do not match. */
@Slow
class DynamoDbLifecycleFaultsTest {
    private static final String TRANSACTION = "TransactWriteItems";
    private static final int SHARD = 1;

    private final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    private final String table = "services-" + UUID.randomUUID();
    private final DynamoDbAsyncClient client = DynamoDbLocal.shared().client(proxy.endpoint());
    private final DynamoDbAsyncClient direct = DynamoDbLocal.shared().client();
    private final LifecycleStore store = open(client);
    private final ServiceDriver driver = new ServiceDriver(store);
    private final ServiceDriver otherReplica = new ServiceDriver(open(direct));

    private LifecycleStore open(DynamoDbAsyncClient through) {
        var opened = new DynamoDbStore(
                through, table, DynamoDbSettings.DEFAULT, Fixtures.RULES, Clock.systemUTC(), StoreTelemetry.NONE);
        await(opened.start());
        return opened.lifecycle();
    }

    /** After it, the store knows the end of the feed. */
    @BeforeEach
    void writeOnce() {
        driver.register(anIdOf(SHARD), NOON);
        proxy.resetCounts();
    }

    @AfterEach
    void close() {
        client.close();
        direct.close();
        proxy.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aCommitWhoseAnswerWasLostIsWrittenOnceAndAnsweredAsWritten(Fault fault) {
        var change = registering(anIdOf(SHARD), NOON);
        proxy.next(TRANSACTION, fault);

        assertThat(driver.commit(change)).isTrue();

        assertThat(proxy.count(TRANSACTION)).isEqualTo(2);
        isWrittenOnce(change);
    }

    /** The retry of the lost attempt is cancelled, so a new transaction follows. It finds the row of this very commit. */
    @Test
    void aCommitWhoseLostAttemptIsFoundLaterIsAnsweredAsWritten() {
        var change = registering(anIdOf(SHARD), NOON);
        proxy.next(TRANSACTION, Fault.LOSE_ANSWER);
        proxy.next(TRANSACTION, Fault.CANCEL_BY_CONFLICT);

        assertThat(driver.commit(change)).isTrue();

        isWrittenOnce(change);
        driver.write(change.after().orElseThrow(), deploy(), NOON.plusSeconds(1));
        assertThat(driver.feed(SHARD)).extracting(FeedEntry::sequence).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aRemovalWhoseLostAttemptIsFoundLaterIsAnsweredAsWritten() {
        var service = driver.register(anIdOf(SHARD), NOON);
        proxy.next(TRANSACTION, Fault.LOSE_ANSWER);
        proxy.next(TRANSACTION, Fault.CANCEL_BY_CONFLICT);

        driver.remove(service, NOON.plusSeconds(1));

        assertThat(driver.find(service.id())).isEmpty();
        assertThat(driver.history(service.id())).hasSize(2);
    }

    /** The same move of another writer has the same version. It is not this commit. */
    @Test
    void theSameMoveOfAnotherReplicaIsNotTakenForThisCommit() {
        var service = driver.register(anIdOf(SHARD), NOON);
        var change = deciding(service, repair(RUNNING), NOON.plusSeconds(1));
        proxy.next(TRANSACTION, Fault.ERROR_500_BEFORE);
        proxy.beforeNext(TRANSACTION, () -> otherReplica.commit(change));

        assertThat(driver.commit(change)).isFalse();

        assertThat(driver.history(service.id())).hasSize(2);
    }

    private void isWrittenOnce(StatusChange change) {
        assertThat(driver.find(change.id())).isEqualTo(change.after());
        assertThat(driver.history(change.id())).containsExactly(change.move());
        assertThat(driver.feed(SHARD)).hasSize(2).endsWith(new FeedEntry(SHARD, 2, change.move()));
        assertThat(await(store.feedEnd()).sequence(SHARD)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"ERROR_500_BEFORE", "THROTTLE", "REFUSE", "CANCEL_BY_THROTTLING", "CANCEL_BY_CONFLICT"})
    void aCommitSurvivesAPassingFault(Fault fault) {
        var change = registering(anIdOf(SHARD), NOON);
        proxy.next(TRANSACTION, fault);
        proxy.next(TRANSACTION, fault);

        assertThat(driver.commit(change)).isTrue();

        isWrittenOnce(change);
    }

    @Test
    void anOutageEndsAsUnavailableAndWritesNothing() {
        var change = registering(anIdOf(SHARD), NOON);
        proxy.always(Fault.ERROR_500_BEFORE);
        assertThatThrownBy(() -> driver.commit(change)).isInstanceOf(StoreUnavailableException.class);
        proxy.heal();

        assertThat(driver.find(change.id())).isEmpty();
        assertThat(driver.commit(change)).isTrue();
        isWrittenOnce(change);
    }

    @Test
    void conflictsThatDoNotEndAreUnavailable() {
        var change = registering(anIdOf(SHARD), NOON);
        proxy.always(Fault.CANCEL_BY_CONFLICT);

        assertThatThrownBy(() -> driver.commit(change)).isInstanceOf(StoreUnavailableException.class);
        proxy.heal();

        assertThat(driver.find(change.id())).isEmpty();
    }

    /** The other replica has moved the end of the feed, and not this service. */
    @Test
    void aCommitThatLosesTheEndOfTheFeedIsWrittenWithTheNextNumber() {
        var change = registering(anIdOf(SHARD), NOON);
        proxy.beforeNext(TRANSACTION, () -> otherReplica.register(anIdOf(SHARD), NOON));

        assertThat(driver.commit(change)).isTrue();

        assertThat(proxy.counts()).isEqualTo(Map.of(TRANSACTION, 2));
        assertThat(driver.feed(SHARD)).extracting(FeedEntry::sequence).containsExactly(1L, 2L, 3L);
        assertThat(driver.feed(SHARD).getLast().move()).isEqualTo(change.move());
    }

    @Test
    void aCommitThatLosesTheServiceIsRefusedAfterOneTransaction() {
        var service = driver.register(anIdOf(SHARD), NOON);
        var change = deciding(service, deploy(), NOON.plusSeconds(1));
        proxy.resetCounts();
        proxy.beforeNext(TRANSACTION, () -> otherReplica.write(service, repair(RUNNING), NOON.plusSeconds(1)));

        assertThat(driver.commit(change)).isFalse();

        assertThat(proxy.counts()).isEqualTo(Map.of(TRANSACTION, 1, "GetItem", 1));
    }

    /** It was deleted by hand, for instance. */
    @Test
    void theNumbersContinueAfterTheLastEntryIfTheEndIsLost() {
        driver.register(anIdOf(SHARD), NOON);
        direct.deleteItem(delete -> delete.tableName(table).key(ServiceItem.endKey(SHARD)))
                .join();

        driver.register(anIdOf(SHARD), NOON);
        otherReplica.register(anIdOf(SHARD), NOON);

        assertThat(driver.feed(SHARD)).extracting(FeedEntry::sequence).containsExactly(1L, 2L, 3L, 4L);
        assertThat(await(store.feedEnd()).sequence(SHARD)).isEqualTo(4);
    }

    // What each operation costs.

    @Test
    void aCommitIsOneTransaction() {
        var service = driver.register(anIdOf(SHARD), NOON);
        driver.remove(driver.write(service, deploy(), NOON), NOON);

        assertThat(proxy.counts()).isEqualTo(Map.of(TRANSACTION, 3));
    }

    @Test
    void commitsOfOneReplicaDoNotLoseTheEndToEachOther() {
        var commits = IntStream.range(0, 20)
                .mapToObj(i -> store.commit(registering(anIdOf(SHARD), NOON), NOON.plus(KEPT))
                        .subscribeAsCompletionStage())
                .toList();

        assertThat(commits).allSatisfy(commit -> assertThat(commit.join()).isTrue());

        assertThat(proxy.counts()).isEqualTo(Map.of(TRANSACTION, 20));
    }

    @Test
    void readsAndASpecAreOneRequestEach() {
        var service = driver.register(anIdOf(SHARD), NOON);
        proxy.resetCounts();

        driver.find(service.id());
        await(store.pause());
        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 2));
        await(store.feedEnd());
        await(store.replaceSpec(service.id(), OTHER_SPEC));
        await(store.feed(SHARD, 0, 2));
        await(store.history(service.id(), 10, Optional.empty()));
        await(store.shard(SHARD, 10, Optional.empty()));
        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 2, "BatchGetItem", 1, "UpdateItem", 1, "Query", 3));
        await(store.list(new ServiceQuery(Optional.empty(), "", 10, Optional.empty())));
        assertThat(proxy.count("Query")).isEqualTo(3 + LifecycleStore.SHARDS);
    }

    // Items.

    @Test
    void rowsAndEntriesHaveATtlAndServicesHaveNone() {
        var change = registering(anIdOf(SHARD), NOON);
        driver.commit(change);
        var end = Long.toString(NOON.plus(KEPT).getEpochSecond() + 1);

        assertThat(item(ServiceItem.rowKey(change.move())).get("ttl").n()).isEqualTo(end);
        assertThat(item(ServiceItem.entryKey(SHARD, 2)).get("ttl").n()).isEqualTo(end);
        assertThat(item(ServiceItem.key(change.id()))).isNotEmpty().doesNotContainKey("ttl");
        assertThat(item(ServiceItem.endKey(SHARD))).isNotEmpty().doesNotContainKey("ttl");
    }

    /** A newer version, which runs beside this one during an update, may have another status. */
    @Test
    void aServiceThatCannotBeReadIsLeftOutOfLists() {
        var good = driver.register(anIdOf(SHARD), NOON);
        var strange = driver.register(anIdOf(SHARD), NOON);
        var item = new HashMap<>(item(ServiceItem.key(strange.id())));
        item.computeIfPresent(
                ServiceItem.BODY, (name, body) -> Attributes.text(body.s().replace("IDLE", "HIBERNATING")));
        direct.putItem(put -> put.tableName(table).item(item)).join();
        var query = new ServiceQuery(Optional.empty(), "", 10, Optional.empty());

        assertThat(await(store.list(query)).items()).contains(good).hasSize(2);
        assertThat(await(store.shard(SHARD, 10, Optional.empty())).items())
                .contains(good)
                .hasSize(2);
        assertThatThrownBy(() -> driver.find(strange.id()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HIBERNATING");
    }

    @Test
    void aMoveIsRemovedWithItsTimeAndTheFeedHasAGap() {
        driver.register(anIdOf(SHARD), NOON);
        driver.register(anIdOf(SHARD), NOON);
        direct.deleteItem(delete -> delete.tableName(table).key(ServiceItem.entryKey(SHARD, 2)))
                .join();

        assertThat(await(store.feed(SHARD, 0, 3)))
                .extracting(FeedEntry::sequence)
                .isEqualTo(List.of(1L, 3L));
    }

    @Test
    void aSuspectClockIsNotTrusted() {
        assertThat(store.trustsClock()).isTrue();
        proxy.shiftDate(Duration.ofSeconds(10));
        await(store.pause());

        assertThat(store.trustsClock()).isFalse();
    }

    @Test
    void aRemovalOfAnUnknownServiceLeavesNoTrace() {
        var unknown = registering(anIdOf(SHARD), NOON).after().orElseThrow();

        assertThat(driver.commit(deciding(unknown, new StatusWrite.Remove(), NOON)))
                .isFalse();

        assertThat(driver.feed(SHARD)).hasSize(1);
    }

    private Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        return direct.getItem(get -> get.tableName(table).key(key).consistentRead(true))
                .join()
                .item();
    }
}

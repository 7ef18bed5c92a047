package io.holdfast.store.dynamodb.service;

import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.port.ServiceDriver.anIdOf;
import static io.holdfast.lifecycle.port.ServiceDriver.deciding;
import static io.holdfast.lifecycle.port.ServiceDriver.deploy;
import static io.holdfast.lifecycle.port.ServiceDriver.registering;
import static io.holdfast.lifecycle.port.ServiceDriver.repair;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.store.dynamodb.service.ServiceRig.SHARD;
import static io.holdfast.store.dynamodb.service.ServiceRig.TRANSACTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.suite.Slow;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits with lost answers, conflicts, outages and a wrong clock. */
@Slow
class DynamoDbLifecycleFaultsTest {
    private final ServiceRig rig = new ServiceRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aCommitWhoseAnswerWasLostIsWrittenOnceAndAnsweredAsWritten(Fault fault) {
        var change = registering(anIdOf(SHARD), NOON);
        rig.proxy.next(TRANSACTION, fault);

        assertThat(rig.driver.commit(change)).isTrue();

        assertThat(rig.proxy.count(TRANSACTION)).isEqualTo(2);
        isWrittenOnce(change);
    }

    /** The retry of the lost attempt is cancelled, so a new transaction follows. It finds the row of this very commit. */
    @Test
    void aCommitWhoseLostAttemptIsFoundLaterIsAnsweredAsWritten() {
        var change = registering(anIdOf(SHARD), NOON);
        rig.proxy.next(TRANSACTION, Fault.LOSE_ANSWER);
        rig.proxy.next(TRANSACTION, Fault.CANCEL_BY_CONFLICT);

        assertThat(rig.driver.commit(change)).isTrue();

        isWrittenOnce(change);
        rig.driver.write(change.after().orElseThrow(), deploy(), NOON.plusSeconds(1));
        assertThat(rig.driver.feed(SHARD)).extracting(FeedEntry::sequence).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aRemovalWhoseLostAttemptIsFoundLaterIsAnsweredAsWritten() {
        var service = rig.driver.register(anIdOf(SHARD), NOON);
        rig.proxy.next(TRANSACTION, Fault.LOSE_ANSWER);
        rig.proxy.next(TRANSACTION, Fault.CANCEL_BY_CONFLICT);

        rig.driver.remove(service, NOON.plusSeconds(1));

        assertThat(rig.driver.find(service.id())).isEmpty();
        assertThat(rig.driver.history(service.id())).hasSize(2);
    }

    /** The same move of another writer has the same version. It is not this commit. */
    @Test
    void theSameMoveOfAnotherReplicaIsNotTakenForThisCommit() {
        var service = rig.driver.register(anIdOf(SHARD), NOON);
        var change = deciding(service, repair(RUNNING), NOON.plusSeconds(1));
        rig.proxy.next(TRANSACTION, Fault.ERROR_500_BEFORE);
        rig.proxy.beforeNext(TRANSACTION, () -> rig.otherReplica.commit(change));

        assertThat(rig.driver.commit(change)).isFalse();

        assertThat(rig.driver.history(service.id())).hasSize(2);
    }

    private void isWrittenOnce(StatusChange change) {
        assertThat(rig.driver.find(change.id())).isEqualTo(change.after());
        assertThat(rig.driver.history(change.id())).containsExactly(change.move());
        assertThat(rig.driver.feed(SHARD)).hasSize(2).endsWith(new FeedEntry(SHARD, 2, change.move()));
        assertThat(await(rig.store.feedEnd()).sequence(SHARD)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"ERROR_500_BEFORE", "THROTTLE", "REFUSE", "CANCEL_BY_THROTTLING", "CANCEL_BY_CONFLICT"})
    void aCommitSurvivesAPassingFault(Fault fault) {
        var change = registering(anIdOf(SHARD), NOON);
        rig.proxy.next(TRANSACTION, fault);
        rig.proxy.next(TRANSACTION, fault);

        assertThat(rig.driver.commit(change)).isTrue();

        isWrittenOnce(change);
    }

    @Test
    void anOutageEndsAsUnavailableAndWritesNothing() {
        var change = registering(anIdOf(SHARD), NOON);
        rig.proxy.always(Fault.ERROR_500_BEFORE);
        assertThatThrownBy(() -> rig.driver.commit(change)).isInstanceOf(StoreUnavailableException.class);
        rig.proxy.heal();

        assertThat(rig.driver.find(change.id())).isEmpty();
        assertThat(rig.driver.commit(change)).isTrue();
        isWrittenOnce(change);
    }

    @Test
    void conflictsThatDoNotEndAreUnavailable() {
        var change = registering(anIdOf(SHARD), NOON);
        rig.proxy.always(Fault.CANCEL_BY_CONFLICT);

        assertThatThrownBy(() -> rig.driver.commit(change)).isInstanceOf(StoreUnavailableException.class);
        rig.proxy.heal();

        assertThat(rig.driver.find(change.id())).isEmpty();
    }

    /** The other replica has moved the end of the feed, and not this service. */
    @Test
    void aCommitThatLosesTheEndOfTheFeedIsWrittenWithTheNextNumber() {
        var change = registering(anIdOf(SHARD), NOON);
        rig.proxy.beforeNext(TRANSACTION, () -> rig.otherReplica.register(anIdOf(SHARD), NOON));

        assertThat(rig.driver.commit(change)).isTrue();

        assertThat(rig.proxy.counts()).isEqualTo(Map.of(TRANSACTION, 2));
        assertThat(rig.driver.feed(SHARD)).extracting(FeedEntry::sequence).containsExactly(1L, 2L, 3L);
        assertThat(rig.driver.feed(SHARD).getLast().move()).isEqualTo(change.move());
    }

    @Test
    void aCommitThatLosesTheServiceIsRefusedAfterOneTransaction() {
        var service = rig.driver.register(anIdOf(SHARD), NOON);
        var change = deciding(service, deploy(), NOON.plusSeconds(1));
        rig.proxy.resetCounts();
        rig.proxy.beforeNext(TRANSACTION, () -> rig.otherReplica.write(service, repair(RUNNING), NOON.plusSeconds(1)));

        assertThat(rig.driver.commit(change)).isFalse();

        assertThat(rig.proxy.counts()).isEqualTo(Map.of(TRANSACTION, 1, "GetItem", 1));
    }

    /** It was deleted by hand, for instance. */
    @Test
    void theNumbersContinueAfterTheLastEntryIfTheEndIsLost() {
        rig.driver.register(anIdOf(SHARD), NOON);
        rig.delete(ServiceItem.endKey(SHARD));

        rig.driver.register(anIdOf(SHARD), NOON);
        rig.otherReplica.register(anIdOf(SHARD), NOON);

        assertThat(rig.driver.feed(SHARD)).extracting(FeedEntry::sequence).containsExactly(1L, 2L, 3L, 4L);
        assertThat(await(rig.store.feedEnd()).sequence(SHARD)).isEqualTo(4);
    }

    @Test
    void aSuspectClockIsNotTrusted() {
        assertThat(rig.store.trustsClock()).isTrue();
        rig.proxy.shiftDate(Duration.ofSeconds(10));
        await(rig.store.pause());

        assertThat(rig.store.trustsClock()).isFalse();
    }
}

package io.holdfast.store.dynamodb.service;

import io.holdfast.kernel.AsyncBulkhead;
import io.holdfast.kernel.Settings;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Transaction;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.service.ServiceWrites.Commit;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Writes changes of services. All commits of one part of the feed change the item of its end, so this replica makes them
 * one after the other. It remembers the end, so a commit is one request unless another replica has written meanwhile.
 *
 * <p>A commit that loses the end to another replica is tried again. That is no reason to refuse it: the service has not
 * changed.
 */
final class ServiceCommits {
    /** A replica loses to one commit of another at a time. */
    private static final int TRIES_MAX = 30;

    /** The pause grows up to this number of tries. */
    private static final int BACKOFF_TRIES_MAX = 3;

    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final DynamoDbReads reads;
    private final ServiceWrites writes;
    private final List<AsyncBulkhead> turns = Stream.generate(() -> new AsyncBulkhead(1))
            .limit(LifecycleStore.SHARDS)
            .toList();

    /** Null if unknown. */
    private final AtomicReferenceArray<FeedEnd> ends = new AtomicReferenceArray<>(LifecycleStore.SHARDS);

    ServiceCommits(DynamoDbReads reads, ServiceWrites writes) {
        this.client = reads.client();
        this.calls = reads.calls();
        this.reads = reads;
        this.writes = writes;
    }

    Uni<Boolean> commit(StatusChange change, Instant until) {
        var shard = LifecycleStore.shardOf(change.id());
        return turns.get(shard).run(calls.patience(), this::tooLong, () -> attempt(Commit.of(change, until), shard, 1)
                .onFailure()
                .invoke(() -> ends.set(shard, null)));
    }

    /** Otherwise commits would queue up while DynamoDB does not answer. */
    private StoreUnavailableException tooLong() {
        return new StoreUnavailableException("Earlier changes of services took more than "
                + Settings.text(calls.patience()) + ", so this one was not made.");
    }

    private Uni<Boolean> attempt(Commit commit, int shard, int number) {
        return end(shard).chain(end -> {
            var request = writes.commit(commit, shard, end);
            return calls.transact("commit_status", () -> client.transactWriteItems(request))
                    .chain(result -> switch (result) {
                        case Transaction.Done done -> {
                            ends.set(shard, FeedEnd.at(end.next()));
                            yield Uni.createFrom().item(true);
                        }
                        case Transaction.Cancelled cancelled ->
                            learn(shard, end, cancelled).chain(() -> cancelled(commit, shard, cancelled, number));
                    });
        });
    }

    private Uni<FeedEnd> end(int shard) {
        var known = ends.get(shard);
        return known != null
                ? Uni.createFrom().item(known)
                : reads.get("find_feed_end", ServiceItem.endKey(shard))
                        .map(item -> FeedEnd.at(ServiceItem.endNumber(item)))
                        .invoke(read -> ends.set(shard, read));
    }

    /** After a conflict nothing is known of the end: the next try finds out. */
    private Uni<Void> learn(int shard, FeedEnd tried, Transaction.Cancelled cancelled) {
        if (cancelled.refused(ServiceWrites.END)) {
            var stored = cancelled.reasons().get(ServiceWrites.END).item();
            ends.set(shard, FeedEnd.at(ServiceItem.endNumber(stored)));
        } else if (cancelled.refused(ServiceWrites.ENTRY)) {
            return afterLastEntry(shard, tried);
        }
        return Uni.createFrom().voidItem();
    }

    /** The item of the end was lost, by hand for instance. The numbers continue after the last entry. */
    private Uni<Void> afterLastEntry(int shard, FeedEnd tried) {
        var section = new DynamoDbReads.Section(ServiceItem.feed(shard), 1, Optional.empty())
                .between(ServiceItem.moveSort(0), ServiceItem.moveSort(Long.MAX_VALUE))
                .fromTheEnd();
        return reads.page("find_feed_end", section, ServiceItem::sequence)
                .invoke(last -> ends.set(
                        shard,
                        new FeedEnd(
                                tried.stored(),
                                last.items().stream().findFirst().orElse(tried.last()))))
                .replaceWithVoid();
    }

    private Uni<Boolean> cancelled(Commit commit, int shard, Transaction.Cancelled cancelled, int number) {
        if (cancelled.refused(ServiceWrites.SERVICE) || cancelled.refused(ServiceWrites.ROW)) {
            return isWritten(commit).invoke(written -> {
                if (written) {
                    ends.set(shard, null);
                }
            });
        }
        return number < TRIES_MAX
                ? calls.pause(Math.min(number, BACKOFF_TRIES_MAX)).chain(() -> attempt(commit, shard, number + 1))
                : Uni.createFrom()
                        .failure(new StoreUnavailableException(
                                "Other replicas kept changing services, so this change was not made."));
    }

    /** An attempt whose answer was lost may have arrived after a later one was cancelled. The row tells. */
    private Uni<Boolean> isWritten(Commit commit) {
        return reads.get("find_move", ServiceItem.rowKey(commit.move()))
                .map(row ->
                        ServiceItem.commitId(row).filter(commit.id()::equals).isPresent());
    }
}

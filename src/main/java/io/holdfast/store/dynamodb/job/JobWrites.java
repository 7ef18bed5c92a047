package io.holdfast.store.dynamodb.job;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.Changes.WorkerStep;
import io.holdfast.job.port.LockStep;
import io.holdfast.store.codec.JobEntries;
import io.holdfast.store.codec.JobEntries.Entry;
import io.holdfast.store.dynamodb.lock.LockInTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The transaction of one commit. DynamoDB allows 100 items in it.
 *
 * <p>A job that ends takes three of them: its record, its index entry before and the one after. The queue of a cluster
 * has at most 30 jobs. The largest commits are these two:
 *
 * <ul>
 *   <li>A destroy that supersedes 30 queued jobs: 90 items for them, 3 for the new job with its key, the cluster, and 2
 *       entries of claimable work: 96. If the janitor submits it, the entry of the TTL takes the place of the key.
 *   <li>A destroy that succeeds, and ends 29 jobs with it: 90 items for the jobs, the cluster, its name, its TTL, its
 *       directory entry, the lock and the worker: 96.
 * </ul>
 */
final class JobWrites {
    private static final String IS_NEW = "attribute_not_exists(#PK)";
    private static final Map<String, String> KEY_NAME = Map.of("#PK", PK);

    private final String table;
    private final LockInTransaction locks;

    JobWrites(String table, LockInTransaction locks) {
        this.table = table;
        this.locks = locks;
    }

    /**
     * The change of a worker is the last item. Without changes, there is no item.
     *
     * @param takeovers whether the clock of this machine may tell that a lease has expired
     */
    TransactWriteItemsRequest commit(Changes changes, boolean takeovers, Instant now, Instant until) {
        var items = new ArrayList<TransactWriteItem>();
        changes.cluster().ifPresent(change -> {
            var version = change.before().map(Cluster::version);
            items.add(put(JobItem.of(change.after(), until), unchanged(version)));
        });
        changes.jobs().forEach(change -> {
            var version = change.before().map(Job::version);
            items.add(put(JobItem.of(change.after(), until), unchanged(version)));
        });
        var entries = JobEntries.of(changes, until);
        entries.put().forEach(entry -> items.add(put(JobItem.of(entry), free(entry, now))));
        entries.deleted().forEach(key -> items.add(delete(JobItem.key(key), Condition.NONE)));
        changes.lock().ifPresent(step -> items.add(lock(step, takeovers)));
        changes.worker().ifPresent(step -> items.add(worker(step)));
        return TransactWriteItemsRequest.builder()
                .transactItems(items)
                .clientRequestToken(UUID.randomUUID().toString())
                .build();
    }

    private TransactWriteItem lock(LockStep step, boolean takeovers) {
        return switch (step) {
            case LockStep.Grant grant -> update(locks.grant(grant.request(), grant.seen(), grant.after(), takeovers));
            case LockStep.Renew renew ->
                update(locks.renew(renew.claim(), renew.seen().orElseThrow(), renew.after(), takeovers));
            case LockStep.Release release ->
                update(locks.release(release.claim(), release.seen().orElseThrow(), release.after()));
            case LockStep.Unchanged unchanged ->
                TransactWriteItem.builder()
                        .conditionCheck(locks.check(unchanged.name(), unchanged.seen()))
                        .build();
        };
    }

    private static TransactWriteItem update(Update update) {
        return TransactWriteItem.builder().update(update).build();
    }

    private TransactWriteItem worker(WorkerStep step) {
        return switch (step) {
            case WorkerStep.Starts starts ->
                put(JobItem.of(starts.worker(), starts.job()), unchanged(Optional.empty()));
            case WorkerStep.Stops stops ->
                delete(
                        JobItem.key(stops.worker()),
                        new Condition(
                                IS_NEW + " OR #job = :job",
                                Map.of("#PK", PK, "#job", JobItem.JOB),
                                Map.of(":job", text(stops.job().value()))));
        };
    }

    private record Condition(String expression, Map<String, String> names, Map<String, AttributeValue> values) {
        static final Condition NONE = new Condition(null, null, null);
    }

    /** @param version of the record that was read; absent if there was none */
    private static Condition unchanged(Optional<Long> version) {
        return version.map(seen -> new Condition(
                        "#version = :seen", Map.of("#version", JobItem.VERSION), Map.of(":seen", number(seen))))
                .orElseGet(() -> new Condition(IS_NEW, KEY_NAME, null));
    }

    /** An exclusive entry may only replace one whose time is over. */
    private static Condition free(Entry entry, Instant now) {
        return entry.isExclusive()
                ? new Condition(
                        IS_NEW + " OR #until < :now",
                        Map.of("#PK", PK, "#until", JobItem.UNTIL),
                        Map.of(":now", time(now)))
                : Condition.NONE;
    }

    private TransactWriteItem put(Map<String, AttributeValue> item, Condition condition) {
        return TransactWriteItem.builder()
                .put(Put.builder()
                        .tableName(table)
                        .item(item)
                        .conditionExpression(condition.expression())
                        .expressionAttributeNames(condition.names())
                        .expressionAttributeValues(condition.values())
                        .build())
                .build();
    }

    private TransactWriteItem delete(Map<String, AttributeValue> key, Condition condition) {
        return TransactWriteItem.builder()
                .delete(Delete.builder()
                        .tableName(table)
                        .key(key)
                        .conditionExpression(condition.expression())
                        .expressionAttributeNames(condition.names())
                        .expressionAttributeValues(condition.values())
                        .build())
                .build();
    }
}

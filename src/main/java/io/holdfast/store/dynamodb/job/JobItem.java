package io.holdfast.store.dynamodb.job;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.WorkerName;
import io.holdfast.store.codec.JobEntries;
import io.holdfast.store.codec.JobEntries.Entry;
import io.holdfast.store.codec.JobJson;
import io.holdfast.store.dynamodb.call.Partition;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Clusters, jobs, the notes of workers and index entries as items. A record is a JSON text in {@code body}. Times are
 * milliseconds, except {@code ttl}, which is in seconds.
 */
final class JobItem {
    static final String BODY = "body";
    static final String VERSION = "version";

    /** Of an index entry. */
    static final String VALUE = "value";

    /** From when on an index entry no longer counts. DynamoDB deletes it some time later. */
    static final String UNTIL = "until";

    /** Of the note of a worker: the job that it runs. */
    static final String JOB = "job";

    private static final String TTL = "ttl";
    private static final String SK_CLUSTER = "CLUSTER";
    private static final String SK_JOB = "JOB";
    private static final String SK_WORKER = "WORKER";

    /** Separates the words of a section in {@link JobEntries}. */
    private static final char BLANK = ' ';

    private JobItem() {}

    static Map<String, AttributeValue> key(ClusterId id) {
        return key(Partition.CLUSTER.of(id), SK_CLUSTER);
    }

    static Map<String, AttributeValue> key(JobId id) {
        return key(Partition.JOB.of(id), SK_JOB);
    }

    static Map<String, AttributeValue> key(WorkerName worker) {
        return key(Partition.WORKER.of(worker), SK_WORKER);
    }

    static Map<String, AttributeValue> key(JobEntries.Key key) {
        return key(partition(key.partition()), key.sort());
    }

    private static Map<String, AttributeValue> key(AttributeValue partition, String sort) {
        return Map.of(PK, partition, SK, text(sort));
    }

    static AttributeValue partition(JobEntries.Partition partition) {
        var section = partition.section().replace(BLANK, '#');
        return switch (partition.kind()) {
            case DUE -> Partition.DUE.of(section);
            case EXPIRY -> Partition.EXPIRY.of(section);
            case DIRECTORY -> Partition.DIRECTORY_OF_CLUSTERS.key();
            case NAME -> Partition.CLUSTER_NAME.of(section);
            case STATUS -> Partition.JOBS_BY_STATUS.of(section);
            case KEY -> Partition.JOB_KEY.of(section);
        };
    }

    /** @param until a destroyed cluster may be deleted after this time */
    static Map<String, AttributeValue> of(Cluster cluster, Instant until) {
        return record(
                key(cluster.id()),
                JobJson.write(cluster),
                cluster.version(),
                Optional.of(until).filter(end -> cluster.status() == ClusterStatus.DESTROYED));
    }

    /** @param until an ended job may be deleted after this time */
    static Map<String, AttributeValue> of(Job job, Instant until) {
        return record(
                key(job.id()),
                JobJson.write(job),
                job.version(),
                Optional.of(until).filter(end -> job.status().isEnded()));
    }

    private static Map<String, AttributeValue> record(
            Map<String, AttributeValue> key, String body, long version, Optional<Instant> until) {
        var item = new HashMap<>(key);
        item.put(BODY, text(body));
        item.put(VERSION, number(version));
        until.ifPresent(end -> item.put(TTL, ttl(end)));
        return item;
    }

    static Map<String, AttributeValue> of(Entry entry) {
        var item = new HashMap<>(key(entry.key()));
        item.put(VALUE, text(entry.value()));
        entry.until().ifPresent(end -> {
            item.put(UNTIL, time(end));
            item.put(TTL, ttl(end));
        });
        return item;
    }

    static Map<String, AttributeValue> of(WorkerName worker, JobId job) {
        var item = new HashMap<>(key(worker));
        item.put(JOB, text(job.value()));
        return item;
    }

    /** The next whole second. */
    private static AttributeValue ttl(Instant until) {
        return number(until.getEpochSecond() + 1);
    }

    static Cluster cluster(Map<String, AttributeValue> item) {
        return JobJson.readCluster(item.get(BODY).s());
    }

    static Job job(Map<String, AttributeValue> item) {
        return JobJson.readJob(item.get(BODY).s());
    }

    static JobId jobOfWorker(Map<String, AttributeValue> item) {
        return new JobId(item.get(JOB).s());
    }

    static String value(Map<String, AttributeValue> item) {
        return item.get(VALUE).s();
    }

    static String sort(Map<String, AttributeValue> item) {
        return item.get(SK).s();
    }
}

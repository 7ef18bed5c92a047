package io.holdfast.store.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Progress;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.DueWork;
import io.holdfast.lock.model.LockId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Clusters, jobs and due work as JSON. Uses JSON trees, so it needs no reflection. */
public final class JobJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JobJson() {}

    public static String write(Cluster cluster) {
        var json = NODES.objectNode()
                .put("id", cluster.id().value())
                .put("name", cluster.name().name())
                .put("platform", cluster.name().platform())
                .put("base_domain", cluster.name().baseDomain())
                .put("status", cluster.status().name())
                .put("created_at", millis(cluster.life().createdAt()))
                .put("updated_at", millis(cluster.life().updatedAt()))
                .put("expiry_handled", cluster.life().expiryHandled())
                .put("version", cluster.version());
        json.set("labels", labels(cluster.labels()));
        var queue = json.putArray("queue");
        cluster.queue().forEach(job -> queue.add(queued(job)));
        var ended = json.putArray("ended_jobs");
        cluster.endedJobs().forEach(job -> ended.add(job.value()));
        cluster.life().closedUntil().ifPresent(until -> json.put("closed_until", millis(until)));
        cluster.lastStarted().ifPresent(job -> json.put("last_started", job.value()));
        cluster.life().ttl().ifPresent(ttl -> json.put("ttl_ms", ttl.toMillis()));
        return json.toString();
    }

    public static Cluster readCluster(String text) {
        var json = parse(text);
        return new Cluster(
                new ClusterId(text(json, "id")),
                new ClusterName(text(json, "name"), text(json, "platform"), text(json, "base_domain")),
                labels(json.required("labels")),
                ClusterStatus.valueOf(text(json, "status")),
                list(json, "queue", JobJson::queued),
                list(json, "ended_jobs", job -> new JobId(job.textValue())),
                maybe(json, "last_started").map(job -> new JobId(job.textValue())),
                new Cluster.Life(
                        time(json, "created_at"),
                        time(json, "updated_at"),
                        maybe(json, "ttl_ms").map(JobJson::duration),
                        json.required("expiry_handled").booleanValue(),
                        maybe(json, "closed_until").map(JobJson::time)),
                json.required("version").longValue());
    }

    public static String write(Job job) {
        var json = NODES.objectNode()
                .put("id", job.id().value())
                .put("cluster", job.cluster().value())
                .put("type", job.type().name())
                .put("params", job.order().params())
                .put("deadline_ms", job.order().deadline().toMillis())
                .put("created_at", millis(job.order().createdAt()))
                .put("status", job.status().name())
                .put("due_at", millis(job.dueAt()))
                .put("attempts", job.attempts().made())
                .put("attempts_max", job.attempts().max())
                .put("retries", job.attempts().retries())
                .put("version", job.version());
        job.order().idempotencyKey().ifPresent(key -> json.put("idempotency_key", key));
        var runs = json.putArray("runs");
        job.runs().forEach(run -> runs.add(run(run)));
        job.cancellation()
                .ifPresent(asked -> json.set(
                        "cancellation",
                        NODES.objectNode().put("at", millis(asked.at())).put("reason", asked.reason())));
        job.end().ifPresent(end -> {
            var node = json.putObject("end").put("at", millis(end.at()));
            end.error().ifPresent(error -> node.set("error", error(error)));
            end.result().ifPresent(result -> node.put("result", result));
        });
        return json.toString();
    }

    public static Job readJob(String text) {
        var json = parse(text);
        return new Job(
                new JobId(text(json, "id")),
                new ClusterId(text(json, "cluster")),
                JobType.valueOf(text(json, "type")),
                new Job.Order(
                        text(json, "params"),
                        maybe(json, "idempotency_key").map(JsonNode::textValue),
                        duration(json.required("deadline_ms")),
                        time(json, "created_at")),
                JobStatus.valueOf(text(json, "status")),
                time(json, "due_at"),
                new Job.Attempts(number(json, "attempts"), number(json, "attempts_max"), number(json, "retries")),
                list(json, "runs", JobJson::run),
                maybe(json, "cancellation")
                        .map(asked -> new Job.Cancellation(time(asked, "at"), text(asked, "reason"))),
                maybe(json, "end")
                        .map(end -> new Job.End(
                                time(end, "at"),
                                maybe(end, "error").map(JobJson::error),
                                maybe(end, "result").map(JsonNode::textValue))),
                json.required("version").longValue());
    }

    public static String write(DueWork work) {
        var json = NODES.objectNode()
                .put("cluster", work.cluster().value())
                .put("job", work.job().value())
                .put("type", work.type().name())
                .put("due_at", millis(work.dueAt()));
        json.set("labels", labels(work.labels()));
        return json.toString();
    }

    public static DueWork readDueWork(String text) {
        var json = parse(text);
        return new DueWork(
                new ClusterId(text(json, "cluster")),
                new JobId(text(json, "job")),
                JobType.valueOf(text(json, "type")),
                time(json, "due_at"),
                labels(json.required("labels")));
    }

    private static ObjectNode queued(QueuedJob job) {
        return NODES.objectNode()
                .put("id", job.id().value())
                .put("type", job.type().name())
                .put("status", job.status().name())
                .put("due_at", millis(job.dueAt()))
                .put("retried", job.retried());
    }

    private static QueuedJob queued(JsonNode json) {
        return new QueuedJob(
                new JobId(text(json, "id")),
                JobType.valueOf(text(json, "type")),
                JobStatus.valueOf(text(json, "status")),
                time(json, "due_at"),
                json.required("retried").booleanValue());
    }

    private static ObjectNode run(Run run) {
        var json = NODES.objectNode()
                .put("attempt", run.attempt())
                .put("epoch", run.epoch())
                .put("worker", run.worker().value())
                .put("lock_id", run.lockId().value())
                .put("started_at", millis(run.startedAt()))
                .put("heartbeat_at", millis(run.heartbeatAt()))
                .put("lease_until", millis(run.leaseUntil()))
                .put("deadline", millis(run.deadline()));
        run.progress().ifPresent(progress -> {
            var node = json.putObject("progress");
            progress.percent().ifPresent(percent -> node.put("percent", percent));
            progress.message().ifPresent(message -> node.put("message", message));
        });
        run.end().ifPresent(end -> {
            var node = json.putObject("end")
                    .put("at", millis(end.at()))
                    .put("result", end.result().name());
            end.error().ifPresent(error -> node.set("error", error(error)));
            end.nextAttemptAt().ifPresent(at -> node.put("next_attempt_at", millis(at)));
        });
        return json;
    }

    private static Run run(JsonNode json) {
        return new Run(
                number(json, "attempt"),
                json.required("epoch").longValue(),
                new WorkerName(text(json, "worker")),
                new LockId(text(json, "lock_id")),
                time(json, "started_at"),
                time(json, "heartbeat_at"),
                time(json, "lease_until"),
                time(json, "deadline"),
                maybe(json, "progress")
                        .map(progress -> new Progress(
                                maybe(progress, "percent").map(JsonNode::intValue),
                                maybe(progress, "message").map(JsonNode::textValue))),
                maybe(json, "end")
                        .map(end -> new Run.End(
                                time(end, "at"),
                                Run.Result.valueOf(text(end, "result")),
                                maybe(end, "error").map(JobJson::error),
                                maybe(end, "next_attempt_at").map(JobJson::time))));
    }

    private static ObjectNode error(JobError error) {
        var json = NODES.objectNode().put("code", error.code());
        error.message().ifPresent(message -> json.put("message", message));
        return json;
    }

    private static JobError error(JsonNode json) {
        return new JobError(text(json, "code"), maybe(json, "message").map(JsonNode::textValue));
    }

    private static ObjectNode labels(ClusterLabels labels) {
        var json = NODES.objectNode();
        labels.all().forEach(json::put);
        return json;
    }

    private static ClusterLabels labels(JsonNode json) {
        Map<String, String> labels = new TreeMap<>();
        json.properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().textValue()));
        return new ClusterLabels(labels);
    }

    private static <T> List<T> list(JsonNode json, String field, Function<JsonNode, T> read) {
        var list = new ArrayList<T>();
        json.required(field).forEach(node -> list.add(read.apply(node)));
        return list;
    }

    private static Optional<JsonNode> maybe(JsonNode json, String field) {
        return Optional.ofNullable(json.get(field));
    }

    private static String text(JsonNode json, String field) {
        return json.required(field).textValue();
    }

    private static int number(JsonNode json, String field) {
        return json.required(field).intValue();
    }

    private static Instant time(JsonNode json, String field) {
        return time(json.required(field));
    }

    private static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.longValue());
    }

    private static long millis(Instant at) {
        return at.toEpochMilli();
    }

    private static Duration duration(JsonNode millis) {
        return Duration.ofMillis(millis.longValue());
    }

    private static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A stored record is damaged: " + e.getOriginalMessage(), e);
        }
    }
}

package io.holdfast.telemetry.tracing;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.ClusterQuery;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobCounts;
import io.holdfast.job.port.JobQuery;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.Snapshot;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Adds a span to every commit of a job store, named by its {@link JobStep}, and to every read in a request. Changes no
 * answer.
 */
public final class TracedJobStore implements JobStore {
    private final JobStore store;
    private final Spans spans;

    public TracedJobStore(JobStore store, Spans spans) {
        this.store = store;
        this.spans = spans;
    }

    @Override
    public Uni<Boolean> commit(Changes changes, Instant now, Instant until) {
        var step = JobStep.of(changes);
        var attributes = SpanAttributes.of(changes);
        if (step.isOfRequest()) {
            // The path of the request is a template. With the attributes, its span can be found by job.
            Span.current().setAllAttributes(attributes);
        }
        return spans.around(step.spanName(), attributes, () -> store.commit(changes, now, until), SpanAttributes::done);
    }

    @Override
    public Uni<Optional<Cluster>> findCluster(ClusterId id) {
        return read("cluster find", SpanAttributes.of(id), () -> store.findCluster(id), SpanAttributes::found);
    }

    @Override
    public Uni<Optional<Job>> findJob(JobId id) {
        return read("job find", SpanAttributes.of(id), () -> store.findJob(id), SpanAttributes::found);
    }

    @Override
    public Uni<List<Job>> findJobs(Collection<JobId> ids) {
        return read("job find", Attributes.empty(), () -> store.findJobs(ids));
    }

    @Override
    public Uni<Optional<Snapshot>> snapshot(ClusterId id, Collection<JobId> jobs) {
        return read("job snapshot", SpanAttributes.of(id, jobs), () -> store.snapshot(id, jobs), SpanAttributes::found);
    }

    @Override
    public Uni<Optional<ClusterId>> findName(ClusterName name) {
        return read("cluster find name", Attributes.empty(), () -> store.findName(name), SpanAttributes::found);
    }

    @Override
    public Uni<Optional<JobId>> findKey(ClusterId cluster, String key) {
        return read(
                "job find key", SpanAttributes.of(cluster), () -> store.findKey(cluster, key), SpanAttributes::found);
    }

    @Override
    public Uni<Map<WorkerName, JobId>> findClaims(Collection<WorkerName> workers) {
        return read("job find claims", Attributes.empty(), () -> store.findClaims(workers));
    }

    @Override
    public Uni<Page<DueWork>> due(Section section, int limit, Optional<Cursor> after, Instant now) {
        return read("job due", Attributes.empty(), () -> store.due(section, limit, after, now));
    }

    @Override
    public Uni<Page<ClusterId>> expired(int shard, int limit, Optional<Cursor> after, Instant now) {
        return spans.around("cluster expired", Attributes.empty(), () -> store.expired(shard, limit, after, now));
    }

    @Override
    public Uni<Page<JobId>> running(int shard, int limit, Optional<Cursor> after) {
        return spans.around("job running", Attributes.empty(), () -> store.running(shard, limit, after));
    }

    @Override
    public Uni<Page<Job>> jobs(JobQuery query) {
        return read("job list", Attributes.empty(), () -> store.jobs(query));
    }

    @Override
    public Uni<Page<Cluster>> clusters(ClusterQuery query) {
        return read("cluster list", Attributes.empty(), () -> store.clusters(query));
    }

    @Override
    public Uni<JobCounts> count(Instant now) {
        return spans.around("job count", Attributes.empty(), () -> store.count(now));
    }

    @Override
    public Uni<Boolean> purge(int limit, Instant now) {
        return spans.around("job purge", Attributes.empty(), () -> store.purge(limit, now));
    }

    @Override
    public boolean trustsClock() {
        return store.trustsClock();
    }

    private <T> Uni<T> read(String name, Attributes attributes, Supplier<Uni<T>> read) {
        return read(name, attributes, read, answer -> Attributes.empty());
    }

    /** No span without a request: timers poll for workers, and a trace of each poll would hide the other traces. */
    private <T> Uni<T> read(
            String name, Attributes attributes, Supplier<Uni<T>> read, Function<T, Attributes> outcome) {
        return Span.current().getSpanContext().isValid() ? spans.around(name, attributes, read, outcome) : read.get();
    }
}

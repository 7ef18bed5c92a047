package io.holdfast.job.dispatch;

import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStore.Section;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A worker that asks for a job.
 *
 * @param types what it can do; not empty
 * @param labels what the cluster must have
 * @param waitFor how long it waits if there is nothing to do
 * @param allowed the clusters whose jobs it may get
 */
public record ClaimRequest(
        WorkerName worker, Set<JobType> types, ClusterLabels labels, Duration waitFor, Predicate<ClusterId> allowed) {
    private static final Map<JobType, List<Section>> SECTIONS = Arrays.stream(JobType.values())
            .collect(Collectors.toMap(Function.identity(), type -> IntStream.range(0, JobStore.SHARDS)
                    .mapToObj(shard -> new Section(type, shard))
                    .toList()));

    public ClaimRequest {
        types = Set.copyOf(types);
    }

    /** Of a worker that may get the jobs of all clusters. */
    public ClaimRequest(WorkerName worker, Set<JobType> types, ClusterLabels labels, Duration waitFor) {
        this(worker, types, labels, waitFor, cluster -> true);
    }

    boolean waits() {
        return waitFor.isPositive();
    }

    /** The parts of the index in which there may be work for it. */
    List<Section> sections() {
        return sections(types);
    }

    static List<Section> sections(Set<JobType> types) {
        return types.stream().map(SECTIONS::get).flatMap(List::stream).toList();
    }

    boolean accepts(DueWork work) {
        return types.contains(work.type()) && work.labels().include(labels) && allowed.test(work.cluster());
    }
}

package io.holdfast.http.job;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.job.JobService;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.kernel.Timestamped;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What the caller of one request may do with jobs, which is decided by their clusters. */
final class JobAccess {
    private final JobService jobs;
    private final RequestAccess access;

    JobAccess(JobService jobs, RoutingContext exchange) {
        this.jobs = jobs;
        this.access = RequestAccess.of(exchange);
    }

    /**
     * Reads the job first if the caller has the action on some clusters only; the cluster of a job never changes. For a
     * job that does not exist, such a caller gets the same refusal as for one of another cluster.
     */
    <T> Uni<T> ifAllowed(JobId id, Action action, Supplier<Uni<T>> step) {
        if (access.scope(action, ResourceKind.CLUSTERS).isEverything()) {
            return step.get();
        }
        return jobs.findJob(id).chain(found -> {
            if (found.filter(at -> isAllowed(action, at.answer().cluster())).isEmpty()) {
                throw access.forbidden(action, ResourceKind.CLUSTERS);
            }
            return step.get();
        });
    }

    /**
     * The clusters whose jobs the caller may claim. Cheap for the others, since it is asked for each piece of due work;
     * the grants that are in force decide on the rest.
     */
    Predicate<ClusterId> workable() {
        var scope = access.scope(Action.WORK, ResourceKind.CLUSTERS);
        return cluster -> scope.contains(cluster.value()) && isAllowed(Action.WORK, cluster);
    }

    /** Whether the caller may be told of a job that is in its way. */
    boolean mayKnow(Timestamped<Job> found) {
        var cluster = found.answer().cluster();
        return isAllowed(Action.READ, cluster) || isAllowed(Action.WORK, cluster);
    }

    private boolean isAllowed(Action action, ClusterId cluster) {
        return access.allows(action, ResourceKind.CLUSTERS, cluster.value());
    }
}

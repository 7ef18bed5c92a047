package io.holdfast.telemetry.tracing;

import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.JobId;
import io.holdfast.job.port.Changes;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.power.model.Decision;
import io.holdfast.power.port.AppProbe;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import java.util.Collection;
import java.util.Optional;

/** The attributes of spans: names and outcomes. They contain no metadata and no email address. */
final class SpanAttributes {
    static final AttributeKey<String> LOCK = AttributeKey.stringKey("holdfast.lock");
    static final AttributeKey<String> OWNER = AttributeKey.stringKey("holdfast.owner");
    static final AttributeKey<String> LOCK_ID = AttributeKey.stringKey("holdfast.lock_id");
    static final AttributeKey<Long> TOKEN = AttributeKey.longKey("holdfast.fencing_token");
    static final AttributeKey<String> DATABASE = AttributeKey.stringKey("holdfast.database");
    static final AttributeKey<String> APP = AttributeKey.stringKey("holdfast.app");
    static final AttributeKey<String> CLUSTER = AttributeKey.stringKey("holdfast.cluster");
    static final AttributeKey<String> JOB = AttributeKey.stringKey("holdfast.job");
    static final AttributeKey<String> WORKER = AttributeKey.stringKey("holdfast.worker");
    static final AttributeKey<Long> EPOCH = AttributeKey.longKey("holdfast.epoch");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("holdfast.outcome");
    static final String CANCELLED = "Cancelled";

    private SpanAttributes() {}

    static Attributes of(LeaseRef ref) {
        return Attributes.of(
                LOCK,
                ref.name().value(),
                OWNER,
                ref.owner().value(),
                LOCK_ID,
                ref.id().value());
    }

    static Attributes of(LockName name) {
        return Attributes.of(LOCK, name.value());
    }

    static Attributes of(DatabaseId database) {
        return Attributes.of(DATABASE, database.value());
    }

    static Attributes of(AppName app) {
        return Attributes.of(APP, app.value());
    }

    static Attributes of(DatabaseId database, AppName app) {
        return Attributes.of(DATABASE, database.value(), APP, app.value());
    }

    static Attributes of(DatabaseId database, long epoch) {
        return Attributes.of(DATABASE, database.value(), EPOCH, epoch);
    }

    static Attributes of(ClusterId cluster) {
        return Attributes.of(CLUSTER, cluster.value());
    }

    static Attributes of(JobId job) {
        return Attributes.of(JOB, job.value());
    }

    /** The first of the jobs. Further ones change with it. */
    static Attributes of(ClusterId cluster, Collection<JobId> jobs) {
        var attributes = of(cluster).toBuilder();
        jobs.stream().findFirst().ifPresent(job -> attributes.put(JOB, job.value()));
        return attributes.build();
    }

    /** The cluster, the job if there is one, and worker and epoch if the step belongs to a run. */
    static Attributes of(Changes changes) {
        var attributes = Attributes.builder();
        changes.cluster()
                .ifPresent(change -> attributes.put(CLUSTER, change.after().id().value()));
        changes.jobs().stream().findFirst().ifPresent(job -> {
            attributes.put(CLUSTER, job.after().cluster().value());
            attributes.put(JOB, job.after().id().value());
            JobStep.runOf(job).ifPresent(run -> {
                attributes.put(WORKER, run.worker().value());
                attributes.put(EPOCH, run.epoch());
            });
        });
        return attributes.build();
    }

    /** The result of the decision is the outcome of the span. */
    static Attributes of(Decision decision) {
        return Attributes.of(
                DATABASE,
                decision.database().value(),
                OUTCOME,
                decision.result().name());
    }

    /** An outcome by the simple name of its class. */
    static Attributes outcome(Object outcome) {
        return named(outcome.getClass().getSimpleName());
    }

    static Attributes state(Enum<?> state) {
        return named(state.name());
    }

    static Attributes seen(AppProbe.Result seen) {
        return state(seen.status());
    }

    static Attributes found(Optional<?> found) {
        return named(found.isPresent() ? "Found" : "NotFound");
    }

    /** The outcome of a conditional write. */
    static Attributes done(boolean done) {
        return named(done ? "Done" : "Refused");
    }

    /** With the fencing token, if the outcome carries a lease. */
    static Attributes of(AcquireOutcome outcome) {
        return switch (outcome) {
            case AcquireOutcome.Granted granted ->
                outcome(granted, granted.lease().token());
            case AcquireOutcome.AlreadyHeld yours ->
                outcome(yours, yours.lease().token());
            default -> outcome(outcome);
        };
    }

    static Attributes of(RenewOutcome outcome) {
        return switch (outcome) {
            case RenewOutcome.Renewed renewed ->
                outcome(renewed, renewed.lease().token());
            case RenewOutcome.Superseded superseded ->
                outcome(superseded, superseded.lease().token());
            case RenewOutcome.NotHeld notHeld -> outcome(notHeld);
        };
    }

    static Attributes of(ReleaseOutcome outcome) {
        return switch (outcome) {
            case ReleaseOutcome.Released released ->
                outcome(released, released.lease().token());
            default -> outcome(outcome);
        };
    }

    static Attributes of(ForceReleaseOutcome outcome) {
        return switch (outcome) {
            case ForceReleaseOutcome.Freed freed -> outcome(freed, freed.token());
            default -> outcome(outcome);
        };
    }

    private static Attributes outcome(Object outcome, FencingToken token) {
        return Attributes.of(OUTCOME, outcome.getClass().getSimpleName(), TOKEN, token.value());
    }

    private static Attributes named(String outcome) {
        return Attributes.of(OUTCOME, outcome);
    }
}

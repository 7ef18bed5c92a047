package io.holdfast.telemetry.tracing;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.Changes.JobChange;
import java.util.Optional;

/** The step of a cluster or a job that a commit writes. The first job of its changes tells which; others end with it. */
enum JobStep {
    CREATE("cluster create", true),
    /** The TTL of a cluster that was never created is over. */
    EXPIRE("cluster expire", false),
    SUBMIT("job submit", true),
    CLAIM("job claim", false),
    /** A worker is told again of its claim. */
    CLAIM_AGAIN("job claim again", false),
    /** A claim is undone, because no worker was told of it. */
    UNCLAIM("job unclaim", false),
    HEARTBEAT("job heartbeat", true),
    FINISH("job finish", true),
    /** The janitor ends a run. */
    RESCUE("job rescue", false),
    CANCEL("job cancel", true),
    RETRY("job retry", true),
    /** A job ends before it could start. */
    END("job end", false);

    private final String spanName;
    private final boolean isOfRequest;

    JobStep(String spanName, boolean isOfRequest) {
        this.spanName = spanName;
        this.isOfRequest = isOfRequest;
    }

    String spanName() {
        return spanName;
    }

    /** False for steps of the janitor and of claims. A claim may be made in another request, such as the submission. */
    boolean isOfRequest() {
        return isOfRequest;
    }

    static JobStep of(Changes changes) {
        if (changes.jobs().isEmpty()) {
            var isNew = changes.cluster().flatMap(Changes.ClusterChange::before).isEmpty();
            return isNew ? CREATE : EXPIRE;
        }
        var job = changes.jobs().getFirst();
        return job.before().map(before -> of(before, job.after(), changes)).orElse(SUBMIT);
    }

    private static JobStep of(Job before, Job after, Changes changes) {
        return switch (before.status()) {
            case RUNNING -> after.status() == JobStatus.RUNNING ? during(before, after, changes) : endOf(before, after);
            case QUEUED, WAITING ->
                switch (after.status()) {
                    case RUNNING -> CLAIM;
                    case CANCELLED -> CANCEL;
                    default -> END;
                };
            case SUCCEEDED, FAILED, CANCELLED, DEAD -> RETRY;
        };
    }

    private static JobStep during(Job before, Job after, Changes changes) {
        if (changes.lock().isEmpty()) {
            return CANCEL;
        }
        var isReported = !before.currentRun()
                .map(Run::heartbeatAt)
                .equals(after.currentRun().map(Run::heartbeatAt));
        return isReported ? HEARTBEAT : CLAIM_AGAIN;
    }

    private static JobStep endOf(Job before, Job after) {
        var end = before.currentRun().flatMap(run -> after.runOf(run.epoch())).flatMap(Run::end);
        return end.map(Run.End::result)
                .map(result -> switch (result) {
                    case COMPLETED, FAILED -> FINISH;
                    case TIMED_OUT, LOCK_LOST -> RESCUE;
                })
                .orElse(UNCLAIM);
    }

    /** The run that the step begins, continues or ends. */
    static Optional<Run> runOf(JobChange job) {
        return job.after().currentRun().or(() -> job.before().flatMap(Job::currentRun));
    }
}

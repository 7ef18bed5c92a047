package io.holdfast.job.port;

import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.kernel.Cursor;
import java.util.Optional;

/** Which jobs to list, the newest first. */
public record JobQuery(
        Optional<JobStatus> status,
        Optional<JobType> type,
        Optional<ClusterId> cluster,
        int limit,
        Optional<Cursor> after) {
    public boolean matches(Job job) {
        return status.filter(wanted -> wanted != job.status()).isEmpty()
                && type.filter(wanted -> wanted != job.type()).isEmpty()
                && cluster.filter(wanted -> !wanted.equals(job.cluster())).isEmpty();
    }
}

package io.holdfast.job.dispatch;

import io.holdfast.job.model.JobId;
import io.holdfast.job.model.WorkerName;

/** A worker asks for a job while it runs another one. Most likely two processes use the same name. */
public final class WorkerBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient JobId job;

    WorkerBusyException(WorkerName worker, JobId job) {
        super("Worker " + worker + " runs job " + job + ".");
        this.job = job;
    }

    public JobId job() {
        return job;
    }
}

package io.holdfast.job.janitor;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.JobCounts;
import io.holdfast.job.port.JobListener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Remembers what the janitor reports. */
final class HeardJobs implements JobListener {
    final Map<JobId, Run.Result> rescued = new LinkedHashMap<>();
    final List<Job> submitted = new ArrayList<>();
    final List<JobCounts> counts = new ArrayList<>();
    int notCounted;

    @Override
    public void rescued(Job job, Run run) {
        rescued.put(job.id(), run.end().orElseThrow().result());
    }

    @Override
    public void submitted(Job job) {
        submitted.add(job);
    }

    @Override
    public void counted(JobCounts found, Instant now) {
        counts.add(found);
    }

    @Override
    public void notCounted() {
        notCounted++;
    }

    @Override
    public void created(Cluster cluster) {}

    @Override
    public void claimed(Job job, Run run) {}

    @Override
    public void heartbeat(Job job, Run run) {}

    @Override
    public void finished(Job job, Run run) {}

    @Override
    public void ended(Job job) {}

    @Override
    public void cancelRequested(Job job) {}

    @Override
    public void cancelled(Job job) {}

    @Override
    public void retried(Job job, String reason) {}

    @Override
    public void refused(String operation, Job job, long epoch) {}

    @Override
    public void notClaimed(Contention reason) {}

    @Override
    public void unclaimed(Job job) {}
}

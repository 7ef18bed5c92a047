package io.holdfast.job.port;

import io.holdfast.lock.port.LockRules;

/**
 * The rules of jobs, by what they decide. Pure functions: the input is what was read and the time, the result is the
 * answer and the changes to write.
 *
 * <p>A job runs only while its worker holds the lock of the cluster. The lock, the job and the cluster change together.
 * The epoch of a run is the fencing token of the lock.
 */
public record JobRules(JobTerms terms, LockRules locks) {

    public SubmissionRules submissions() {
        return new SubmissionRules(terms, locks.takeovers());
    }

    public ClaimRules claims() {
        return new ClaimRules(clusterLock(), runEnds());
    }

    public RunRules runs() {
        return new RunRules(clusterLock(), runEnds());
    }

    public RescueRules rescues() {
        return new RescueRules(terms.rescueAfter(), locks, runEnds());
    }

    public OperatorRules operator() {
        return new OperatorRules(terms);
    }

    private ClusterLockRules clusterLock() {
        return new ClusterLockRules(terms.lease(), locks);
    }

    private RunEndRules runEnds() {
        return new RunEndRules(terms, clusterLock());
    }
}

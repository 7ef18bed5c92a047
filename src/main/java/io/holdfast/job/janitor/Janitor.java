package io.holdfast.job.janitor;

import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobStore;
import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.lock.election.Election;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.queue.Cleanup;
import io.smallrye.mutiny.Uni;
import java.time.InstantSource;

/**
 * Ends the runs of dead workers, destroys clusters whose TTL is over, counts all jobs, and purges records whose
 * retention is over. One replica does it at a time, elected by a Holdfast lock. Each change is conditional on the
 * records that were read, so a second janitor would do no harm.
 */
public final class Janitor {
    private static final String TASK = "janitor";
    static final LockName LOCK = Election.lockOf(TASK);

    private final JobStore store;
    private final JobTransactions transactions;
    private final JanitorTerms terms;
    private final InstantSource clock;
    private final JobListener listener;
    private final Election election;
    private final RepeatedProblems<String> problems = new RepeatedProblems<>();

    public Janitor(
            JobStore store,
            JobTransactions transactions,
            JobListener listener,
            JanitorTerms terms,
            InstantSource clock,
            LockStore locks,
            Cleanup cleanup) {
        this.store = store;
        this.transactions = transactions;
        this.terms = terms;
        this.clock = clock;
        this.listener = listener;
        this.election = new Election(TASK, terms.lockTtl(), locks, clock, cleanup);
    }

    /** The result of one pass. */
    public sealed interface Pass {
        /** @param work what was done; the next pass repeats what has failed */
        record Done(Work work) implements Pass {}

        /** Another replica does it. */
        record NotElected() implements Pass {}

        /** The lock was lost, the clock is suspect, or the service shuts down. The next pass does the rest. */
        record Interrupted(Work work) implements Pass {}
    }

    /**
     * @param rescued runs that were ended
     * @param submitted jobs that destroy clusters whose TTL is over
     * @param failed jobs, clusters and lists that could not be read or written
     */
    public record Work(int rescued, int submitted, int failed) {
        public boolean isNone() {
            return rescued == 0 && submitted == 0 && failed == 0;
        }
    }

    /** Looks at every running job and every cluster whose TTL is over once, unless another replica does. */
    public Uni<Pass> pass() {
        return election.run(
                        term -> new JanitorPass(store, transactions, listener, clock, problems, terms.stepSize(), term)
                                .run(),
                        this::notElected)
                .onFailure()
                .invoke(listener::notCounted);
    }

    private Uni<Pass> notElected() {
        listener.notCounted();
        return Uni.createFrom().item(new Pass.NotElected());
    }

    /** Lets the current step finish, and starts no other. */
    public void stop() {
        election.stop();
    }
}

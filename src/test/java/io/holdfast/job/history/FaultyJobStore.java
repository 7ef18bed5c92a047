package io.holdfast.job.history;

import io.holdfast.job.port.JobStore;
import io.holdfast.kernel.StoreUnavailableException;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** A store whose commits lose their answers, and between whose reads and commits other requests are carried out. */
final class FaultyJobStore {
    private static final Set<String> READS = Set.of("snapshot", "findCluster", "findJobs", "findKey", "findClaims");

    interface Faults {
        /** Called before each read on the test's own thread. May carry out other requests. */
        void beforeRead();

        Fate nextCommit();
    }

    enum Fate {
        DONE,
        NOT_DONE_AND_UNKNOWN,
        DONE_AND_UNKNOWN
    }

    private FaultyJobStore() {}

    static JobStore around(JobStore store, Faults faults) {
        var testThread = Thread.currentThread();
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().equals("commit")) {
                            return commit((Uni<?>) method.invoke(store, arguments), faults.nextCommit());
                        }
                        var result = method.invoke(store, arguments);
                        if (READS.contains(method.getName()) && Thread.currentThread() == testThread) {
                            return ((Uni<?>) result).invoke(faults::beforeRead);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Uni<?> commit(Uni<?> commit, Fate fate) {
        var lost = new StoreUnavailableException("The answer was lost.");
        return switch (fate) {
            case DONE -> commit;
            case NOT_DONE_AND_UNKNOWN -> Uni.createFrom().failure(lost);
            case DONE_AND_UNKNOWN -> commit.chain(() -> Uni.createFrom().failure(lost));
        };
    }
}

package io.holdfast.bench;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.bench.JobSystem.Worker;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Figures, not facts: `make bench` prints them. Workers submit, claim and complete jobs, one job per request, at the
 * packaged program and at PostgreSQL in turn. Client and servers share the machine.
 */
@Tag("benchmark")
class JobThroughputBenchmark {
    private static final int WORKERS = 16;
    private static final int CLUSTERS = Integer.getInteger("bench.clusters", 1_000);
    private static final int JOBS_PER_WORKER = Integer.getInteger("bench.jobs-per-worker", 500);
    private static final int WARM_UPS = Integer.getInteger("bench.warm-ups", 3);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 7);

    private final AtomicInteger submitted = new AtomicInteger();

    /** @param nanos of all requests, one list per step */
    private record Round(long jobsPerSecond, long clientMicrosPerJob, long[][] nanos) {
        long medianMicros(int step) {
            var sorted = nanos[step].clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2] / 1000;
        }
    }

    @Test
    void jobsPerSecondBesidePostgres() throws Exception {
        try (var holdfast = new HoldfastJobs();
                var postgres = new PostgresJobs()) {
            holdfast.prepare(CLUSTERS);
            postgres.prepare(CLUSTERS);
            var ofHoldfast = new ArrayList<Round>();
            var ofPostgres = new ArrayList<Round>();
            for (var i = 0; i < WARM_UPS + ROUNDS; i++) {
                ofHoldfast.add(round(holdfast));
                ofPostgres.add(round(postgres));
            }
            var ahead = print(holdfast.name(), ofHoldfast) / (double) print(postgres.name(), ofPostgres);
            System.out.printf(
                    "BENCH jobs, Holdfast to PostgreSQL %s: %.2f times as many a second%n", postgres.version(), ahead);
        }
    }

    private Round round(JobSystem system) throws Exception {
        system.beforeRound();
        var start = new CountDownLatch(1);
        var connected = new CountDownLatch(WORKERS);
        var nanos = new long[3][WORKERS * JOBS_PER_WORKER];
        try (var threads = Executors.newFixedThreadPool(WORKERS)) {
            var all = new ArrayList<Future<?>>();
            for (var i = 0; i < WORKERS; i++) {
                var number = i;
                all.add(threads.submit(() -> {
                    try (var worker = system.connect(number)) {
                        connected.countDown();
                        start.await();
                        work(worker, number * JOBS_PER_WORKER, nanos);
                    }
                    return null;
                }));
            }
            connected.await();
            var cpu = clientCpu();
            var started = System.nanoTime();
            start.countDown();
            for (var one : all) {
                one.get();
            }
            var took = System.nanoTime() - started;
            var jobs = WORKERS * JOBS_PER_WORKER;
            return new Round(jobs * 1_000_000_000L / took, (clientCpu() - cpu) / jobs / 1000, nanos);
        }
    }

    private void work(Worker worker, int from, long[][] nanos) throws Exception {
        for (var i = from; i < from + JOBS_PER_WORKER; i++) {
            var begun = System.nanoTime();
            worker.submit(submitted.getAndIncrement() % CLUSTERS);
            var asked = System.nanoTime();
            var claimed = worker.claim();
            var got = System.nanoTime();
            worker.complete(claimed);
            nanos[0][i] = asked - begun;
            nanos[1][i] = got - asked;
            nanos[2][i] = System.nanoTime() - got;
        }
    }

    private static long clientCpu() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static long print(String name, List<Round> all) {
        var rounds = all.subList(WARM_UPS, all.size());
        var perSecond = median(rounds, Round::jobsPerSecond);
        System.out.printf(
                "BENCH jobs, %s: %,d a second (%d workers, %,d clusters, medians of %d rounds of %,d jobs, from %,d to"
                        + " %,d); submit %,d us, claim %,d us, complete %,d us, client %,d us of CPU a job%n",
                name,
                perSecond,
                WORKERS,
                CLUSTERS,
                ROUNDS,
                WORKERS * JOBS_PER_WORKER,
                rounds.stream().mapToLong(Round::jobsPerSecond).min().orElseThrow(),
                rounds.stream().mapToLong(Round::jobsPerSecond).max().orElseThrow(),
                median(rounds, round -> round.medianMicros(0)),
                median(rounds, round -> round.medianMicros(1)),
                median(rounds, round -> round.medianMicros(2)),
                median(rounds, Round::clientMicrosPerJob));
        return perSecond;
    }

    private static long median(List<Round> rounds, ToLongFunction<Round> figure) {
        return rounds.stream()
                .mapToLong(figure)
                .sorted()
                .skip(rounds.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}

package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.job.dispatch.JobReplica;
import io.holdfast.job.model.JobType;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The memory that one claim allocates, with few and with many queued jobs. It stands for the work of a claim, and does
 * not depend on the load of the machine. `make bench` prints the time.
 *
 * <p>A search reads one page of each section of the index. A page has nine entries for one worker, and an entry stands
 * for a cluster. With 10 clusters no section fills its page. With 200 clusters those of CREATE do, as with any higher
 * number.
 */
class EmbeddedClaimCostTest {
    private static final int JOBS_PER_CLUSTER = 10;
    private static final int CLAIMS = 60;
    /** A full page has more entries than a store with 10 clusters has. They are looked at, but not parsed. */
    private static final double RATIO_MAX = 1.5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    @Test
    void aClaimCostsAboutTheSameWithTwentyTimesAsManyJobs() {
        var few = medianBytes(10);
        var many = medianBytes(200);

        assertThat(many / (double) few).as("%d and %d bytes", few, many).isLessThan(RATIO_MAX);
    }

    private long medianBytes(int clusters) {
        var clock = new TestClock(NOON);
        try (var store = EmbeddedStore.open(
                folder.resolve("clusters-" + clusters),
                EmbeddedSettings.DEFAULT,
                RULES,
                EmbeddedSettings.HERE,
                StoreTelemetry.NONE)) {
            var replica = new JobReplica(store.jobs(), clock, new FakeTimers(clock));
            replica.fill(clusters, JOBS_PER_CLUSTER);
            var bytes = new long[CLAIMS];
            for (var i = 0; i < CLAIMS; i++) {
                var before = THREADS.getTotalThreadAllocatedBytes();
                var claim = replica.claim("worker-1");
                bytes[i] = THREADS.getTotalThreadAllocatedBytes() - before;
                replica.complete(claim);
                replica.submit(claim.cluster().id(), JobType.SCALE_WORKERS);
            }
            Arrays.sort(bytes);
            return bytes[CLAIMS / 2];
        }
    }
}

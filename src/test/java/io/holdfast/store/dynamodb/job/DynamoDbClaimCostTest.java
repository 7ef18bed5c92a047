package io.holdfast.store.dynamodb.job;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.store.dynamodb.job.JobRig.TRANSACTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.dispatch.JobReplica;
import io.holdfast.job.model.JobType;
import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.suite.Slow;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The requests of one claim, of its completion and of a submission, with few and with many queued jobs.
 *
 * <p>A search reads one page of each section of the index. A page has eight entries more than workers ask, and an entry
 * stands for a cluster. With 10 clusters, no section fills its page of nine. With 100 clusters, the CREATE sections
 * have more than that, as they have with any higher number.
 */
@Slow
class DynamoDbClaimCostTest {
    private static final int JOBS_PER_CLUSTER = 10;

    private final TestClock clock = new TestClock(NOON);

    private record Costs(Map<String, Integer> claim, Map<String, Integer> complete, Map<String, Integer> submit) {}

    @Test
    void aClaimCostsTheSameWithTenTimesAsManyJobs() {
        var few = costs(10);
        var many = costs(100);

        assertThat(many).isEqualTo(few);
        assertThat(few.claim()).isEqualTo(Map.of("Query", 16, "BatchGetItem", 1, TRANSACTION, 1));
        assertThat(few.complete()).isEqualTo(Map.of("GetItem", 1, "BatchGetItem", 1, TRANSACTION, 1));
        assertThat(few.submit()).isEqualTo(Map.of("GetItem", 1, TRANSACTION, 1));
    }

    private Costs costs(int clusters) {
        try (var rig = new JobRig()) {
            var replica = new JobReplica(rig.jobs, clock, new FakeTimers(clock));
            replica.fill(clusters, JOBS_PER_CLUSTER);
            rig.proxy.resetCounts();

            var claim = replica.claim("worker-1");
            var ofClaim = counted(rig);
            replica.complete(claim);
            var ofCompletion = counted(rig);
            replica.submit(claim.cluster().id(), JobType.SCALE_WORKERS);
            return new Costs(ofClaim, ofCompletion, counted(rig));
        }
    }

    private static Map<String, Integer> counted(JobRig rig) {
        var counts = rig.proxy.counts();
        rig.proxy.resetCounts();
        return counts;
    }
}

package io.holdfast.http.job;

import static io.holdfast.http.job.JobCalls.claimed;
import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.complete;
import static io.holdfast.http.job.JobCalls.ids;
import static io.holdfast.http.job.JobCalls.listAll;
import static io.holdfast.http.job.JobCalls.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lists of jobs: filters and pages. */
interface JobListFacts {
    @Test
    default void jobsOfAClusterAreListedTheNewestFirst() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        complete(claimed(id, "w-" + id));
        var scale = submitted(id, "SCALE_WORKERS");
        claimed(id, "w-" + id);
        var destroy = submitted(id, "DESTROY");

        assertThat(ids(listAll("jobs", Map.of("cluster", id)))).containsExactly(destroy, scale, create);
        assertThat(ids(listAll("jobs", Map.of("cluster", id, "limit", 1)))).containsExactly(destroy, scale, create);
        assertThat(ids(listAll("jobs", Map.of("cluster", id, "status", "RUNNING"))))
                .containsExactly(scale);
        assertThat(ids(listAll("jobs", Map.of("cluster", id, "status", "SUCCEEDED"))))
                .containsExactly(create);
        assertThat(ids(listAll("jobs", Map.of("cluster", id, "type", "DESTROY"))))
                .containsExactly(destroy);
        assertThat(listAll("jobs", Map.of("cluster", id, "type", "DESTROY", "status", "DEAD")))
                .isEmpty();
        assertThat(listAll("jobs", Map.of("cluster", id + "-other"))).isEmpty();
    }

    @Test
    default void jobsOfAllClustersAreListedByStatusAndType() {
        var one = cluster();
        var other = cluster();
        var queued = submitted(one, "CREATE");
        var running = submitted(other, "CREATE");
        claimed(other, "w-" + other);

        var all = ids(listAll("jobs", Map.of("limit", 2)));

        assertThat(all).doesNotHaveDuplicates().containsSubsequence(running, queued);
        assertThat(all).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(ids(listAll("jobs", Map.of("status", "QUEUED", "type", "CREATE", "limit", 2))))
                .contains(queued)
                .doesNotContain(running);
        assertThat(ids(listAll("jobs", Map.of("status", "RUNNING", "limit", 2))))
                .contains(running)
                .doesNotContain(queued);
        assertThat(ids(listAll("jobs", Map.of("type", "JANITOR_DESTROY")))).doesNotContain(queued, running);
    }
}

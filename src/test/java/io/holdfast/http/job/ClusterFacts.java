package io.holdfast.http.job;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.job.JobCalls.claimed;
import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.complete;
import static io.holdfast.http.job.JobCalls.create;
import static io.holdfast.http.job.JobCalls.epoch;
import static io.holdfast.http.job.JobCalls.fail;
import static io.holdfast.http.job.JobCalls.get;
import static io.holdfast.http.job.JobCalls.ids;
import static io.holdfast.http.job.JobCalls.listAll;
import static io.holdfast.http.job.JobCalls.status;
import static io.holdfast.http.job.JobCalls.submitted;
import static io.holdfast.http.job.JobCalls.wanted;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Calls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registering clusters, and reading them. */
interface ClusterFacts {
    @Test
    default void aNewClusterIsPendingAndHasWhatWasSent() {
        var id = unique("cluster");
        var wanted = wanted(id);
        wanted.put("ttl", "2h");

        var created = create(wanted).expect(201).json();

        assertThat(created.getString("id")).isEqualTo(id);
        assertThat(created.getString("name")).isEqualTo(id);
        assertThat(created.getString("platform")).isEqualTo("aws");
        assertThat(created.getString("base_domain")).isEqualTo("example.com");
        assertThat(created.getString("status")).isEqualTo("PENDING");
        assertThat(created.<String, String>getMap("labels")).containsExactly(Map.entry("test", id));
        assertThat(created.getLong("ttl_ms")).isEqualTo(Duration.ofHours(2).toMillis());
        assertThat(Instant.parse(created.getString("expires_at")))
                .isEqualTo(Instant.parse(created.getString("created_at")).plus(Duration.ofHours(2)));
        assertThat(created.getString("updated_at")).isEqualTo(created.getString("created_at"));
    }

    @Test
    default void theServiceNamesAClusterWithoutAnId() {
        var wanted = wanted(unique("cluster"));
        wanted.remove("id");
        wanted.remove("labels");

        var created = create(wanted).expect(201).json();

        assertThat(created.getString("id")).isNotBlank().isNotEqualTo(wanted.get("name"));
        assertThat(created.getMap("labels")).isEmpty();
        assertThat(get(created.getString("id")).<String>path("name")).isEqualTo(wanted.get("name"));
    }

    @Test
    default void aRepeatedRegistrationGetsTheSameCluster() {
        var id = unique("cluster");
        var first = create(wanted(id)).expect(201);

        var second = create(wanted(id)).expect(200);

        assertThat(second.asString()).isEqualTo(first.asString());
    }

    @Test
    default void anIdWithOtherContentIsTaken() {
        var id = cluster();
        var other = wanted(id);
        other.put("name", unique("other"));

        var refused = create(other);

        assertProblem(refused, 409, "id-taken");
        assertThat(refused.<String>path("cluster")).isEqualTo(id);
        assertThat(get(id).<String>path("name")).isEqualTo(id);
    }

    @Test
    default void theNameOfAnActiveClusterIsTaken() {
        var id = cluster();
        var other = wanted(unique("other"));
        other.put("name", id);

        var refused = create(other);

        assertProblem(refused, 409, "name-taken");
        assertThat(refused.<String>path("cluster")).isEqualTo(id);
        assertThat(refused.<String>path("detail")).contains(id, "aws", "example.com");
        assertThat(get((String) other.get("id")).statusCode()).isEqualTo(404);
    }

    @Test
    default void theSameNameElsewhereIsFree() {
        var id = cluster();
        var elsewhere = wanted(unique("other"));
        elsewhere.put("name", id);
        elsewhere.put("platform", "gcp");

        create(elsewhere).expect(201);
    }

    @Test
    default void theNameOfAFailedClusterIsFree() {
        var id = cluster();
        submitted(id, "CREATE");
        fail(claimed(id, "w-" + id), false).expect(200);
        var other = wanted(unique("other"));
        other.put("name", id);

        create(other).expect(201);

        assertThat(status(id)).isEqualTo("FAILED");
    }

    @Test
    default void aClusterIsShownWithWhatRunsAndWithItsQueue() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        var destroy = submitted(id, "DESTROY");
        var queued = get(id).json();
        assertThat(queued.getMap("running")).isNull();
        assertThat(queued.<String>getList("queue.id")).containsExactly(create, destroy);

        var claim = claimed(id, "w-" + id);

        var running = get(id).json();
        assertThat(running.getString("status")).isEqualTo("CREATING");
        assertThat(running.getString("running.id")).isEqualTo(create);
        assertThat(running.getLong("running.epoch")).isEqualTo(epoch(claim));
        assertThat(running.<String>getList("queue.id")).containsExactly(destroy);
        assertThat(claim.<Object>path("cluster.queue")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"team/shop", "DB#1", "a:b@c", "a//b", "jobs"})
    default void anIdWithReservedCharactersIsOrdinary(String stem) {
        var id = stem + unique("");
        create(wanted(id)).expect(201);

        submitted(id, "CREATE");
        complete(claimed(id, "w-" + id));

        assertThat(status(id)).isEqualTo("READY");
        assertThat(ids(listAll("jobs", Map.of("cluster", id)))).hasSize(1);
    }

    @Test
    default void aSlashThatIsNotEncodedInAnIdIsPointedAt() {
        var refused = Calls.post("/v1/clusters/team/shop/jobs", Map.of("type", "CREATE"));

        assertProblem(refused, 404, "not-found");
        assertThat(refused.<String>path("detail")).contains("%2F: /v1/clusters/team%2Fshop/jobs.");
    }

    @Test
    default void clustersAreListedByNamePrefixAndStatus() {
        var prefix = unique("list");
        for (var name : List.of("b", "a", "c")) {
            create(wanted(prefix + name)).expect(201);
        }
        submitted(prefix + "b", "CREATE");
        claimed(prefix + "b", "w-" + prefix);

        assertThat(ids(listAll("clusters", Map.of("prefix", prefix))))
                .containsExactly(prefix + "a", prefix + "b", prefix + "c");
        assertThat(ids(listAll("clusters", Map.of("prefix", prefix, "status", "CREATING"))))
                .containsExactly(prefix + "b");
        assertThat(ids(listAll("clusters", Map.of("prefix", prefix, "limit", 1))))
                .containsExactly(prefix + "a", prefix + "b", prefix + "c");
        assertThat(listAll("clusters", Map.of("prefix", prefix)))
                .allSatisfy(cluster -> assertThat(cluster).doesNotContainKeys("running", "queue"));
        assertThat(listAll("clusters", Map.of("prefix", unique("none")))).isEmpty();
    }

    @Test
    default void aClusterThatIsNotThereIsNotFound() {
        assertProblem(get(unique("none")), 404, "not-found");
        assertProblem(JobCalls.submit(unique("none"), "CREATE"), 404, "not-found");
    }
}

package io.holdfast.http.access;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.access.AccessFixture.token;
import static io.holdfast.http.access.AccessListFacts.database;
import static io.holdfast.http.access.AccessListFacts.put;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is decided by names that stand in bodies, in lists and in the store. */
public interface AccessActionFacts {
    @Test
    default void aSetIsRefusedBeforeTheFirstLockIfOneNameIsNotAllowed() {
        var own = unique("billing/set");
        var foreign = unique("set");

        assertProblem(
                post("/v1/locks", Map.of("names", List.of(own, foreign), "owner", "ada"), "narrow"), 403, "forbidden");

        assertThat(get(lock(own), "admin").statusCode()).isEqualTo(404);
        var held = post("/v1/locks", Map.of("names", List.of(own), "owner", "ada"), "narrow")
                .expect(201);
        var release = "/v1/locks?owner=ada&lock_id=" + held.<String>path("lock_id") + "&names=";
        assertProblem(delete(release + own + "," + foreign, "narrow"), 403, "forbidden");
        assertThat(get(lock(own), "admin").<String>path("status")).isEqualTo("active");
        delete(release + own, "narrow").expect(200);
    }

    @Test
    default void acquireAloneGetsItsConflictAndReadsNothing() {
        var name = unique("billing/held");
        post(lock(name), Map.of("owner", "ada"), "narrow").expect(201);

        var conflict = post(lock(name), Map.of("owner", "eve"), "taker");

        assertProblem(conflict, 409, "lock-conflict");
        assertThat(conflict.<String>path("lock.owner")).isEqualTo("ada");
        assertProblem(get(lock(name), "taker"), 403, "forbidden");
    }

    @Test
    default void aLeaseBelongsToTheSubjectThatAcquiredIt() {
        var name = unique("billing/owned");
        var held = post(lock(name), Map.of("owner", "ada"), "narrow").expect(201);
        var claim = Map.of("owner", "ada", "lock_id", held.<String>path("lock_id"));
        var force = lock(name) + "?force=true&reason=stuck&fencing_token=" + held.<Long>path("fencing_token");

        assertThat(held.<String>path("subject")).isEqualTo("token:narrow");
        assertProblem(post(lock(name), Map.of("owner", "ada"), "taker"), 409, "lock-conflict");
        assertProblem(post(lock(name) + "/renew", claim, "taker"), 404, "lock-not-held");
        assertProblem(delete(lock(name) + "?" + Calls.query(claim), "taker"), 404, "lock-not-held");
        assertProblem(delete(force, "taker"), 409, "lock-conflict");
        post(lock(name) + "/renew", claim, "narrow").expect(200);
        delete(force, "narrow").expect(200);
    }

    @Test
    default void aForceReleaseNeedsForceAndAReleaseNeedsAcquire() {
        var name = unique("billing/forced");
        var held = post(lock(name), Map.of("owner", "ada"), "narrow").expect(201);
        var force = lock(name) + "?force=true&reason=stuck&fencing_token=" + held.<Long>path("fencing_token");

        assertProblem(
                delete(lock(name) + "?owner=ada&lock_id=" + held.<String>path("lock_id"), "forcer"), 403, "forbidden");
        assertThat(delete(force, "only-read").statusCode()).isEqualTo(403);
        delete(force, "forcer").expect(200);
    }

    @Test
    default void theLocksOfTheServiceAreForAdministrators() {
        for (var name : List.of("DB#a", "CLUSTER#a", "SERVICE#a", "system/a")) {
            assertProblem(post(lock(name), Map.of("owner", "eve"), "only-acquire"), 403, "forbidden");
            assertThat(get(lock(name), "only-read").statusCode()).isIn(200, 404);
        }
    }

    @Test
    default void aStopNeedsTheActionOnEachDatabase() {
        var app = unique("billing-app");
        var database = unique("foreign") + ":5432";
        put("/v1/databases/" + database, database(database.replace(":5432", "")));
        put("/v1/apps/" + app, Map.of("databases", List.of(database)));

        for (var action : List.of("stop", "start", "stop?dry_run=true")) {
            for (var subject : List.of("narrow", "apps-only")) {
                var refused =
                        Calls.call("POST", "/v1/apps/" + app + "/" + action, null, "Authorization", token(subject));

                assertProblem(refused, 403, "forbidden");
                assertThat(refused.<String>path("resource")).isEqualTo("databases:" + database);
            }
        }
        assertThat(get("/v1/databases/" + database + "/decisions", "admin")
                        .json()
                        .getList("decisions"))
                .isEmpty();
        Calls.call("POST", "/v1/apps/" + app + "/stop?dry_run=true", null, "Authorization", token("only-stop"))
                .expect(200);
    }

    @Test
    default void anAppIsLinkedOnlyToDatabasesOnWhichTheCallerMayDoMoreThanRead() {
        var app = unique("billing-app");
        var foreign = unique("foreign") + ":5432";
        put("/v1/databases/" + foreign, database(foreign.replace(":5432", "")));

        var refused = Calls.call(
                "PUT", "/v1/apps/" + app, Map.of("databases", List.of(foreign)), "Authorization", token("narrow"));

        assertProblem(refused, 403, "forbidden");
        assertThat(refused.<String>path("resource")).isEqualTo("databases:" + foreign);
        assertThat(get("/v1/apps/" + app, "admin").statusCode()).isEqualTo(404);
        Calls.call("PUT", "/v1/apps/" + app, Map.of("databases", List.of()), "Authorization", token("narrow"))
                .expect(201);
        Calls.call(
                        "PUT",
                        "/v1/apps/" + app,
                        Map.of("databases", List.of(foreign)),
                        "Authorization",
                        token("only-register"))
                .expect(200);
    }

    @Test
    default void aClusterWithoutAnIdNeedsTheGrantOnAllOfThem() {
        var body = Map.of("name", unique("n"), "platform", "aws", "base_domain", "example.com");

        assertProblem(post("/v1/clusters", body, "narrow"), 403, "forbidden");
        post("/v1/clusters", body, "only-submit").expect(201);
    }

    @Test
    default void aJobIsThatOfItsClusterAndAForeignOneIsRefusedLikeOneThatDoesNotExist() {
        var own = unique("billing-jobs");
        var foreign = unique("jobs");
        cluster(own);
        cluster(foreign);
        var ownJob = submit(own);
        var foreignJob = submit(foreign);

        assertThat(get("/v1/jobs/" + ownJob, "narrow").statusCode()).isEqualTo(200);
        var refused = get("/v1/jobs/" + foreignJob, "narrow");
        var missing = get("/v1/jobs/" + foreignJob + "x", "narrow");
        assertProblem(refused, 403, "forbidden");
        assertThat(missing.asString()).isEqualTo(refused.asString());
        assertThat(get("/v1/jobs/" + foreignJob + "x", "only-read").statusCode())
                .isEqualTo(404);
        for (var step : Map.of(
                        "heartbeat", Map.of("epoch", 1),
                        "complete", Map.of("epoch", 1),
                        "fail", Map.of("epoch", 1, "error_code", "E", "retryable", false),
                        "cancel", Map.of("reason", "r"),
                        "retry", Map.of("reason", "r"))
                .entrySet()) {
            assertProblem(
                    post("/v1/jobs/" + foreignJob + "/" + step.getKey(), step.getValue(), "narrow"), 403, "forbidden");
            assertThat(post("/v1/jobs/" + ownJob + "/" + step.getKey(), step.getValue(), "narrow")
                            .statusCode())
                    .isIn(200, 409);
        }
    }

    @Test
    default void aWorkerGetsTheJobsOfItsClustersAlone() {
        var own = unique("billing-claims");
        var foreign = unique("claims");
        var label = Map.of("run", unique("run"));
        cluster(foreign, label);
        cluster(own, label);
        submit(foreign);
        submit(own);

        var claim = claim(unique("worker"), label, "narrow").expect(200);

        assertThat(claim.<String>path("cluster.id")).isEqualTo(own);
        claim(unique("worker"), label, "narrow").expect(204);
        assertThat(claim(unique("worker"), label, "only-work").expect(200).<String>path("cluster.id"))
                .isEqualTo(foreign);
    }

    /** A worker is told again of the job that it runs; a name alone must not be enough for that. */
    @Test
    default void theNameOfAForeignWorkerDoesNotGiveItsJob() {
        var foreign = unique("claims");
        var label = Map.of("run", unique("run"));
        cluster(foreign, label);
        submit(foreign);
        var worker = unique("worker");
        claim(worker, label, "only-work").expect(200);

        var stolen = claim(worker, label, "narrow");

        assertProblem(stolen, 409, "worker-busy");
        assertThat(stolen.<Object>path("job")).isNull();
    }

    static void cluster(String id) {
        cluster(id, Map.of());
    }

    static void cluster(String id, Map<String, String> labels) {
        post(
                        "/v1/clusters",
                        Map.of("id", id, "name", id, "platform", "aws", "base_domain", "example.com", "labels", labels),
                        "admin")
                .expect(201);
    }

    static String submit(String cluster) {
        return post("/v1/clusters/" + cluster + "/jobs", Map.of("type", "CREATE"), "admin")
                .expect(201)
                .path("id");
    }

    private static Answer claim(String worker, Map<String, String> labels, String subject) {
        return post("/v1/jobs/claim", Map.of("worker", worker, "labels", labels), subject);
    }

    private static String lock(String name) {
        return "/v1/locks/" + Calls.encoded(name);
    }

    private static Answer get(String path, String subject) {
        return Calls.get(path, "Authorization", token(subject));
    }

    private static Answer delete(String path, String subject) {
        return Calls.delete(path, "Authorization", token(subject));
    }

    private static Answer post(String path, Object body, String subject) {
        return Calls.post(path, body, "Authorization", token(subject));
    }
}

package io.holdfast.http.job;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import io.holdfast.http.RawHttp;
import io.holdfast.http.lock.LockCalls;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The API of clusters and jobs as clients and workers call it. Each cluster has a label of its own, by which its workers
 * ask, since tests may share a server.
 */
public final class JobCalls {
    private static final String LABEL = "test";

    private JobCalls() {}

    /** Registers a cluster and returns its id, which is also its name and the value of its label. */
    public static String cluster() {
        var id = LockCalls.unique("cluster");
        create(wanted(id)).expect(201);
        return id;
    }

    public static Map<String, Object> wanted(String id) {
        return new HashMap<>(Map.of(
                "id", id, "name", id, "platform", "aws", "base_domain", "example.com", "labels", Map.of(LABEL, id)));
    }

    public static Answer create(Map<String, ?> body) {
        return Calls.post("/v1/clusters", body);
    }

    /** A cluster whose CREATE has succeeded. */
    static String ready() {
        var id = cluster();
        submitted(id, "CREATE");
        complete(claimed(id, "builder-" + id));
        return id;
    }

    public static Answer get(String cluster) {
        return Calls.get(path(cluster));
    }

    public static String status(String cluster) {
        return get(cluster).expect(200).path("status");
    }

    static Answer submit(String cluster, String type) {
        return submit(cluster, Map.of("type", type));
    }

    public static Answer submit(String cluster, Map<String, ?> body) {
        return Calls.post(path(cluster) + "/jobs", body);
    }

    /** Submits a job that is accepted and returns its id. */
    public static String submitted(String cluster, String type) {
        return submit(cluster, type).expect(201).path("id");
    }

    /** Asks once for a job of this cluster. */
    public static Answer claim(String cluster, String worker) {
        return Calls.post("/v1/jobs/claim", Map.of("worker", worker, "labels", Map.of(LABEL, cluster)));
    }

    /** Claims the job that is due. */
    public static Answer claimed(String cluster, String worker) {
        return claim(cluster, worker).expect(200);
    }

    /** Waits for a job of this cluster on a connection of its own. */
    static RawHttp.Exchange waits(String cluster, String worker) throws IOException {
        var body = "{\"worker\":\"%s\",\"labels\":{\"%s\":\"%s\"},\"wait\":\"60s\"}".formatted(worker, LABEL, cluster);
        var request = ("POST /v1/jobs/claim HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: %d\r\n\r\n%s")
                .formatted(body.length(), body);
        return RawHttp.begin(RestAssured.port, request.getBytes(StandardCharsets.US_ASCII));
    }

    public static long epoch(Answer claim) {
        return claim.json().getLong("epoch");
    }

    static Answer heartbeat(Answer claim) {
        return heartbeat(claim.path("job.id"), epoch(claim));
    }

    static Answer heartbeat(String job, long epoch) {
        return report(job, "heartbeat", Map.of("epoch", epoch));
    }

    public static Answer complete(Answer claim) {
        return complete(claim.path("job.id"), epoch(claim)).expect(200);
    }

    static Answer complete(String job, long epoch) {
        return report(job, "complete", Map.of("epoch", epoch));
    }

    static Answer fail(Answer claim, boolean retryable) {
        return fail(claim.path("job.id"), epoch(claim), retryable);
    }

    static Answer fail(String job, long epoch, boolean retryable) {
        return report(job, "fail", Map.of("epoch", epoch, "error_code", "Throttling", "retryable", retryable));
    }

    static Answer cancel(String job) {
        return report(job, "cancel", Map.of("reason", "no longer wanted"));
    }

    static Answer retry(String job) {
        return report(job, "retry", Map.of("reason", "the quota was raised"));
    }

    static Answer report(String job, String action, Map<String, ?> body) {
        return Calls.post("/v1/jobs/" + job + "/" + action, body);
    }

    public static Answer job(String id) {
        return Calls.get("/v1/jobs/" + id);
    }

    static String jobStatus(String id) {
        return job(id).expect(200).path("status");
    }

    /** All pages of a listing of {@code clusters} or {@code jobs}; a page may be short, even empty, and not be the last. */
    static List<Map<String, Object>> listAll(String what, Map<String, ?> query) {
        var found = new ArrayList<Map<String, Object>>();
        var next = new HashMap<String, Object>(query);
        String cursor;
        do {
            var page = Calls.get("/v1/" + what + "?" + Calls.query(next))
                    .expect(200)
                    .json();
            found.addAll(page.getList(what));
            cursor = page.getString("next_cursor");
            next.put("cursor", cursor);
        } while (cursor != null);
        return found;
    }

    static List<String> ids(List<Map<String, Object>> entries) {
        return entries.stream().map(entry -> (String) entry.get("id")).toList();
    }

    public static String path(String cluster) {
        return "/v1/clusters/" + Calls.encoded(cluster);
    }
}

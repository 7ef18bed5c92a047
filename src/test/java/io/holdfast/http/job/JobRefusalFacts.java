package io.holdfast.http.job;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.get;
import static io.holdfast.http.job.JobCalls.job;
import static io.holdfast.http.job.JobCalls.path;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.http.Calls;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What requests about clusters and jobs must not say. Each refusal names the field, and nothing is changed. */
interface JobRefusalFacts {
    int JSON_BYTES_MAX = 16 << 10;

    static Stream<Arguments> clusters() {
        return Stream.of(
                arguments("", "body"),
                arguments("null", "body"),
                arguments("[]", "body"),
                arguments("{", "body"),
                arguments("{'name':'a','platform':'aws','base_domain':'b','colour':'red'}", "colour"),
                arguments("{'platform':'aws','base_domain':'b'}", "name"),
                arguments("{'name':'a','base_domain':'b'}", "platform"),
                arguments("{'name':'a','platform':'aws'}", "base_domain"),
                arguments("{'name':null,'platform':'aws','base_domain':'b'}", "name"),
                arguments("{'name':'a b','platform':'aws','base_domain':'b'}", "name"),
                arguments("{'name':'','platform':'aws','base_domain':'b'}", "name"),
                arguments("{'name':1,'platform':'aws','base_domain':'b'}", "name"),
                arguments("{'name':'a','platform':'a|b','base_domain':'b'}", "platform"),
                arguments("{'name':'a','platform':'aws','base_domain':'%s'}".formatted("x".repeat(256)), "base_domain"),
                arguments(named("'id':''"), "id"),
                arguments(named("'id':'..'"), "id"),
                arguments(named("'id':'a b'"), "id"),
                arguments(named("'id':7"), "id"),
                arguments(named("'id':'%s'".formatted("x".repeat(248))), "id"),
                arguments(named("'ttl':60"), "ttl"),
                arguments(named("'ttl':'soon'"), "ttl"),
                arguments(named("'ttl':'0s'"), "ttl"),
                arguments(named("'ttl':'3651d'"), "ttl"),
                arguments(named("'ttl':'999999999999d'"), "ttl"),
                arguments(named("'ttl':'PT-5S'"), "ttl"),
                arguments(named("'labels':[]"), "labels"),
                arguments(named("'labels':'eu'"), "labels"),
                arguments(named("'labels':{'a':1}"), "labels.a"),
                arguments(named("'labels':{'a':null}"), "labels.a"),
                arguments(named("'labels':{'a b':'c'}"), "labels"),
                arguments(named("'labels':{'':'c'}"), "labels"),
                arguments(named("'labels':{'a':'%s'}".formatted("x".repeat(129))), "labels.a"),
                arguments(named("'labels':{%s}".formatted(entries(9))), "labels"));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    default void aClusterThatIsNotValidIsRefused(String body, String field) {
        var name = unique("refused");

        assertInvalid(Calls.post("/v1/clusters", json(body).replace("{name}", name)), field);

        assertThat(JobCalls.listAll("clusters", Map.of("prefix", name))).isEmpty();
    }

    static Stream<Arguments> submissions() {
        return Stream.of(
                arguments("", "body"),
                arguments("[]", "body"),
                arguments("{}", "type"),
                arguments("{'type':null}", "type"),
                arguments("{'type':'create'}", "type"),
                arguments("{'type':'UPGRADE'}", "type"),
                arguments("{'type':1}", "type"),
                arguments("{'type':'CREATE','prams':{}}", "prams"),
                arguments("{'type':'CREATE','params':[]}", "params"),
                arguments("{'type':'CREATE','params':'{}'}", "params"),
                arguments("{'type':'CREATE','params':1}", "params"),
                arguments("{'type':'CREATE','params':true}", "params"),
                arguments("{'type':'CREATE','params':{'a':1,'a':2}}", "params"),
                arguments("{'type':'CREATE','params':{'a':'\\ud800'}}", "params"),
                arguments("{'type':'CREATE','params':%s}".formatted(nested(101)), "params"),
                arguments("{'type':'CREATE','params':{'a':'%s'}}".formatted("x".repeat(JSON_BYTES_MAX - 7)), "params"),
                arguments("{'type':'CREATE','idempotency_key':''}", "idempotency_key"),
                arguments("{'type':'CREATE','idempotency_key':' a'}", "idempotency_key"),
                arguments("{'type':'CREATE','idempotency_key':'é'}", "idempotency_key"),
                arguments("{'type':'CREATE','idempotency_key':1}", "idempotency_key"),
                arguments("{'type':'CREATE','idempotency_key':'%s'}".formatted("k".repeat(129)), "idempotency_key"),
                arguments("{'type':'CREATE','deadline':'0s'}", "deadline"),
                arguments("{'type':'CREATE','deadline':'25h'}", "deadline"),
                arguments("{'type':'CREATE','deadline':'soon'}", "deadline"),
                arguments("{'type':'CREATE','deadline':60}", "deadline"));
    }

    @ParameterizedTest
    @MethodSource("submissions")
    default void aJobThatIsNotValidIsRefused(String body, String field) {
        var id = cluster();
        var before = get(id).asString();

        assertInvalid(Calls.post(path(id) + "/jobs", json(body)), field);

        assertThat(get(id).asString()).isEqualTo(before);
    }

    @Test
    default void paramsOfTheLargestSizeAndDepthAreAccepted() {
        var large = cluster();
        Calls.post(
                        path(large) + "/jobs",
                        json("{'type':'CREATE','params':{'a':'%s'}}".formatted("x".repeat(JSON_BYTES_MAX - 8))))
                .expect(201);
        var deep = cluster();
        Calls.post(path(deep) + "/jobs", json("{'type':'CREATE','params':%s}".formatted(nested(100))))
                .expect(201);

        get(large).expect(200);
        get(deep).expect(200);
    }

    static Stream<Arguments> claims() {
        return Stream.of(
                arguments("", "body"),
                arguments("{}", "worker"),
                arguments("{'worker':''}", "worker"),
                arguments("{'worker':' w'}", "worker"),
                arguments("{'worker':1}", "worker"),
                arguments("{'worker':'%s'}".formatted("w".repeat(256)), "worker"),
                arguments("{'worker':'w','epoch':1}", "epoch"),
                arguments("{'worker':'w','types':[]}", "types"),
                arguments("{'worker':'w','types':['UPGRADE']}", "types"),
                arguments("{'worker':'w','types':[null]}", "types"),
                arguments("{'worker':'w','types':'CREATE'}", "types"),
                arguments("{'worker':'w','types':[1]}", "types.[]"),
                arguments("{'worker':'w','labels':{'a':null}}", "labels.a"),
                arguments("{'worker':'w','labels':{%s}}".formatted(entries(9)), "labels"),
                arguments("{'worker':'w','wait':'61s'}", "wait"),
                arguments("{'worker':'w','wait':'PT-1S'}", "wait"),
                arguments("{'worker':'w','wait':5}", "wait"));
    }

    @ParameterizedTest
    @MethodSource("claims")
    default void aClaimThatIsNotValidIsRefused(String body, String field) {
        assertInvalid(Calls.post("/v1/jobs/claim", json(body)), field);
    }

    static Stream<Arguments> reports() {
        return Stream.of(
                arguments("heartbeat", "", "body"),
                arguments("heartbeat", "{}", "epoch"),
                arguments("heartbeat", "{'epoch':0}", "epoch"),
                arguments("heartbeat", "{'epoch':-1}", "epoch"),
                arguments("heartbeat", "{'epoch':'1'}", "epoch"),
                arguments("heartbeat", "{'epoch':1.5}", "epoch"),
                arguments("heartbeat", "{'epoch':99999999999999999999}", "epoch"),
                arguments("heartbeat", "{'epoch':EPOCH,'progress':50}", "progress"),
                arguments("heartbeat", "{'epoch':EPOCH,'progress':{'percent':101}}", "progress.percent"),
                arguments("heartbeat", "{'epoch':EPOCH,'progress':{'percent':-1}}", "progress.percent"),
                arguments("heartbeat", "{'epoch':EPOCH,'progress':{'percent':1.5}}", "progress.percent"),
                arguments("heartbeat", "{'epoch':EPOCH,'progress':{'percent':'1'}}", "progress.percent"),
                arguments("heartbeat", "{'epoch':EPOCH,'progress':{'message':'a\\nb'}}", "progress.message"),
                arguments(
                        "heartbeat",
                        "{'epoch':EPOCH,'progress':{'message':'%s'}}".formatted("m".repeat(257)),
                        "progress.message"),
                arguments("heartbeat", "{'epoch':EPOCH,'progress':{'eta':1}}", "progress.eta"),
                arguments("complete", "{}", "epoch"),
                arguments("complete", "{'epoch':EPOCH,'result':[]}", "result"),
                arguments("complete", "{'epoch':EPOCH,'result':'ok'}", "result"),
                arguments(
                        "complete",
                        "{'epoch':EPOCH,'result':{'a':'%s'}}".formatted("x".repeat(JSON_BYTES_MAX)),
                        "result"),
                arguments("fail", "{'error_code':'E','retryable':true}", "epoch"),
                arguments("fail", "{'epoch':EPOCH,'retryable':true}", "error_code"),
                arguments("fail", "{'epoch':EPOCH,'error_code':'E'}", "retryable"),
                arguments("fail", "{'epoch':EPOCH,'error_code':'E','retryable':'true'}", "retryable"),
                arguments("fail", "{'epoch':EPOCH,'error_code':'E','retryable':1}", "retryable"),
                arguments("fail", "{'epoch':EPOCH,'error_code':'','retryable':true}", "error_code"),
                arguments("fail", "{'epoch':EPOCH,'error_code':'a b','retryable':true}", "error_code"),
                arguments(
                        "fail",
                        "{'epoch':EPOCH,'error_code':'%s','retryable':true}".formatted("E".repeat(65)),
                        "error_code"),
                arguments(
                        "fail",
                        "{'epoch':EPOCH,'error_code':'E','message':'%s','retryable':true}".formatted("m".repeat(1025)),
                        "message"),
                arguments("cancel", "{}", "reason"),
                arguments("cancel", "{'reason':' '}", "reason"),
                arguments("cancel", "{'reason':'%s'}".formatted("r".repeat(257)), "reason"),
                arguments("cancel", "{'reason':'why','force':true}", "force"),
                arguments("retry", "{}", "reason"),
                arguments("retry", "{'reason':''}", "reason"));
    }

    @ParameterizedTest
    @MethodSource("reports")
    default void aReportThatIsNotValidIsRefused(String action, String body, String field) {
        var claim = ReportFacts.running();
        String id = claim.path("job.id");
        var before = withoutTimeLeft(id);

        assertInvalid(
                Calls.post(
                        "/v1/jobs/" + id + "/" + action,
                        json(body).replace("EPOCH", Long.toString(JobCalls.epoch(claim)))),
                field);

        assertThat(withoutTimeLeft(id)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/clusters?status=ready, status",
        "/v1/clusters?status=QUEUED, status",
        "/v1/clusters?prefix=a%20b, prefix",
        "/v1/clusters?limit=0, limit",
        "/v1/clusters?limit=501, limit",
        "/v1/clusters?limit=many, limit",
        "/v1/clusters?cursor=***, cursor",
        "/v1/clusters?name=a, name",
        "/v1/clusters/a%20b, id",
        "/v1/jobs?status=READY, status",
        "/v1/jobs?type=create, type",
        "/v1/jobs?cluster=a%20b, cluster",
        "/v1/jobs?limit=-1, limit",
        "/v1/jobs?limit=501, limit",
        "/v1/jobs?cursor=***, cursor",
        "/v1/jobs?worker=w, worker",
        "/v1/jobs/a%20b, id",
    })
    default void aQueryThatIsNotValidIsRefused(String path, String field) {
        assertInvalid(Calls.get(path), field);
    }

    private static String withoutTimeLeft(String job) {
        return job(job).asString().replaceAll("\"remaining_ms\":\\d+", "");
    }

    private static String named(String field) {
        return "{'name':'{name}','platform':'aws','base_domain':'b'," + field + "}";
    }

    private static String entries(int count) {
        return IntStream.range(0, count).mapToObj(i -> "'k%d':'v'".formatted(i)).collect(Collectors.joining(","));
    }

    /** An object with so many levels. */
    private static String nested(int levels) {
        return "{'a':".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}

package io.holdfast.http.service;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.lock.LockCalls.unique;
import static io.holdfast.http.service.ServiceCalls.deploy;
import static io.holdfast.http.service.ServiceCalls.get;
import static io.holdfast.http.service.ServiceCalls.history;
import static io.holdfast.http.service.ServiceCalls.path;
import static io.holdfast.http.service.ServiceCalls.put;
import static io.holdfast.http.service.ServiceCalls.report;
import static io.holdfast.http.service.ServiceCalls.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.http.Calls;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What requests about services must not say. Each refusal names the field, and nothing is changed. */
interface ServiceRefusalFacts {
    String WORKLOAD = "'namespace':'shop','kind':'Deployment','name':'billing'";

    static Stream<Arguments> registrations() {
        return Stream.of(
                arguments("", "body"),
                arguments("null", "body"),
                arguments("[]", "body"),
                arguments("{", "body"),
                arguments("{'colour':'red'}", "colour"),
                arguments("{'observe':{}}", "observe"),
                arguments("{'observe':[]}", "observe"),
                arguments("{'observe':'http://a'}", "observe"),
                arguments("{'observe':{'probe':'http-200'}}", "observe"),
                arguments("{'observe':{'kubernetes':{%s},'url':'http://a'}}".formatted(WORKLOAD), "observe"),
                arguments("{'observe':{'kubernetes':{%s},'probe':'http-200'}}".formatted(WORKLOAD), "observe.probe"),
                arguments("{'observe':{'kubernetes':{}}}", "observe.kubernetes.namespace"),
                arguments("{'observe':{'kubernetes':{'namespace':'shop'}}}", "observe.kubernetes.kind"),
                arguments(
                        "{'observe':{'kubernetes':{'namespace':'shop','kind':'Pod','name':'a'}}}",
                        "observe.kubernetes.kind"),
                arguments(
                        "{'observe':{'kubernetes':{'namespace':'..','kind':'Deployment','name':'a'}}}",
                        "observe.kubernetes.namespace"),
                arguments(
                        "{'observe':{'kubernetes':{'namespace':'a','kind':'Deployment','name':'A/b'}}}",
                        "observe.kubernetes.name"),
                arguments("{'observe':{'url':'ftp://a'}}", "observe.url"),
                arguments("{'observe':{'url':'http://'}}", "observe.url"),
                arguments("{'observe':{'url':'http://a b'}}", "observe.url"),
                arguments("{'observe':{'url':'http://u:p@a'}}", "observe.url"),
                arguments("{'observe':{'url':''}}", "observe.url"),
                arguments("{'observe':{'url':1}}", "observe.url"),
                arguments("{'observe':{'url':'http://a','probe':'kubernetes'}}", "observe.probe"),
                arguments("{'observe':{'url':'http://a','probe':''}}", "observe.probe"),
                arguments("{'deploy_deadline':'0s'}", "deploy_deadline"),
                arguments("{'deploy_deadline':'25h'}", "deploy_deadline"),
                arguments("{'deploy_deadline':'soon'}", "deploy_deadline"),
                arguments("{'deploy_deadline':'999999999999d'}", "deploy_deadline"),
                arguments("{'deploy_deadline':60}", "deploy_deadline"));
    }

    @ParameterizedTest
    @MethodSource("registrations")
    default void aRegistrationThatIsNotValidIsRefused(String body, String field) {
        var id = unique("refused");

        assertInvalid(put(id, json(body)), field);

        assertThat(get(id).statusCode()).isEqualTo(404);
    }

    static Stream<Arguments> deployments() {
        return Stream.of(
                arguments("", "body"),
                arguments("[]", "body"),
                arguments("{'reasons':'a'}", "reasons"),
                arguments("{'reason':' '}", "reason"),
                arguments("{'reason':'a\\u0000'}", "reason"),
                arguments("{'reason':'%s'}".formatted("x".repeat(257)), "reason"),
                arguments("{'reason':1}", "reason"),
                arguments("{'deadline':'0s'}", "deadline"),
                arguments("{'deadline':'25h'}", "deadline"),
                arguments("{'deadline':60}", "deadline"),
                arguments("{'deployment_id':'a'}", "deployment_id"),
                arguments("{'deployment_id':''}", "deployment_id"),
                arguments("{'deployment_id':'3F0E8B52-6C1D-4C0E-9A57-2F4D1B6A9C10'}", "deployment_id"));
    }

    @ParameterizedTest
    @MethodSource("deployments")
    default void aDeploymentThatIsNotValidDoesNotBegin(String body, String field) {
        var id = service();

        assertInvalid(deploy(id, json(body)), field);

        assertThat(history(id)).hasSize(1);
    }

    static Stream<Arguments> results() {
        var named = "'deployment_id':'3f0e8b52-6c1d-4c0e-9a57-2f4d1b6a9c10'";
        return Stream.of(
                arguments("", "body"),
                arguments("{}", "deployment_id"),
                arguments("{%s}".formatted(named), "epoch"),
                arguments("{%s,'epoch':0}".formatted(named), "epoch"),
                arguments("{%s,'epoch':-1}".formatted(named), "epoch"),
                arguments("{%s,'epoch':'1'}".formatted(named), "epoch"),
                arguments("{%s,'epoch':1.5}".formatted(named), "epoch"),
                arguments("{%s,'epoch':9223372036854775808}".formatted(named), "epoch"),
                arguments("{%s,'epoch':1}".formatted(named), "status"),
                arguments("{%s,'epoch':1,'status':'running'}".formatted(named), "status"),
                arguments("{%s,'epoch':1,'status':'STOPPED'}".formatted(named), "status"),
                arguments("{%s,'epoch':1,'status':'FAILED','rolled_back':true}".formatted(named), "rolled_back"),
                arguments("{%s,'epoch':1,'status':'RUNNING','rolled_back':'no'}".formatted(named), "rolled_back"),
                arguments("{%s,'epoch':1,'status':'RUNNING','reason':''}".formatted(named), "reason"));
    }

    @ParameterizedTest
    @MethodSource("results")
    default void aResultThatIsNotValidIsRefused(String body, String field) {
        var id = service();
        deploy(id).expect(200);

        assertInvalid(report(id, json(body)), field);

        assertThat(history(id)).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{} | status",
                "{'status':null} | status",
                "{'status':'idle'} | status",
                "{'status':7} | status",
                "{'status':'DEPLOYING','reason':''} | reason",
                "{'status':'DEPLOYING','if_version':0} | if_version",
                "{'status':'DEPLOYING','if_version':'1'} | if_version",
                "{'status':'DEPLOYING','deployment_id':'a'} | deployment_id",
            })
    default void aStatusThatIsNotValidIsRefused(String body, String field) {
        var id = service();

        assertInvalid(Calls.put(path(id) + "/status", json(body)), field);

        assertThat(history(id)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "a b", "é", "%00"})
    default void anIdThatIsNoneIsRefused(String id) {
        assertInvalid(put(id, "{}"), "id");
    }

    @Test
    default void anIdThatLeavesNoRoomForTheNameOfItsLockIsRefused() {
        assertInvalid(put("x".repeat(248), "{}"), "id");
        put(unique("x".repeat(210)), "{}").expect(201);
    }

    @ParameterizedTest
    @CsvSource({
        "?status=idle, status",
        "?status=, status",
        "?prefix=a%20b, prefix",
        "?limit=0, limit",
        "?limit=501, limit",
        "?limit=x, limit",
        "?cursor=!, cursor",
        "?colour=red, colour",
    })
    default void aListThatIsNotValidIsRefused(String query, String field) {
        assertInvalid(Calls.get("/v1/services" + query), field);
    }

    @ParameterizedTest
    @CsvSource({"?limit=0, limit", "?limit=501, limit", "?cursor=!, cursor", "?cursor=AAAA, cursor", "?a=1, a"})
    default void aHistoryThatIsNotValidIsRefused(String query, String field) {
        assertInvalid(Calls.get(path(service()) + "/history" + query), field);
    }

    private static String json(String singleQuoted) {
        return singleQuoted.replace('\'', '"');
    }
}

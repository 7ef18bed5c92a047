package io.holdfast.http.database;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.database.RegistryCalls.app;
import static io.holdfast.http.database.RegistryCalls.database;
import static io.holdfast.http.database.RegistryCalls.get;
import static io.holdfast.http.database.RegistryCalls.put;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a registration must not say. Each refusal names the field, and nothing is registered. */
interface RegistryRefusalFacts {
    static Stream<Arguments> apps() {
        return Stream.of(
                arguments("", "body"),
                arguments("null", "body"),
                arguments("[]", "body"),
                arguments("{", "body"),
                arguments("{}", "databases"),
                arguments("{'databases':null}", "databases"),
                arguments("{'databases':'i-0abc'}", "databases"),
                arguments("{'databases':{}}", "databases"),
                arguments("{'databases':[1]}", "databases.[]"),
                arguments("{'databases':[[]]}", "databases.[]"),
                arguments("{'databases':[null]}", "databases"),
                arguments("{'databases':['']}", "databases"),
                arguments("{'databases':['a b']}", "databases"),
                arguments("{'databases':['%s']}".formatted("x".repeat(256)), "databases"),
                arguments("{'databases':[],'databases':[]}", "body"),
                arguments("{'databases':[],'admin':true}", "admin"),
                arguments("{'databases':[],'name':'eve'}", "name"),
                arguments("{'databases':[],'probe':'ping'}", "probe"),
                arguments("{'databases':[],'probe':''}", "probe"),
                arguments("{'databases':[],'probe':1}", "probe"),
                arguments("{'databases':[],'probe':'kubernetes'}", "kubernetes"),
                arguments("{'databases':[],'confirmations':0}", "confirmations"),
                arguments("{'databases':[],'confirmations':11}", "confirmations"),
                arguments("{'databases':[],'confirmations':1.5}", "confirmations"),
                arguments("{'databases':[],'confirmations':'2'}", "confirmations"),
                arguments("{'databases':[],'confirmations':true}", "confirmations"),
                arguments("{'databases':[],'confirmations':99999999999}", "confirmations"),
                arguments("{'databases':[],'url':''}", "url"),
                arguments("{'databases':[],'url':'billing'}", "url"),
                arguments("{'databases':[],'url':'/health'}", "url"),
                arguments("{'databases':[],'url':'ftp://billing.example/'}", "url"),
                arguments("{'databases':[],'url':'file:///etc/passwd'}", "url"),
                arguments("{'databases':[],'url':'http://'}", "url"),
                arguments("{'databases':[],'url':'http:///health'}", "url"),
                arguments("{'databases':[],'url':'http://a b/'}", "url"),
                arguments("{'databases':[],'url':'http://ada:pass@billing.example/'}", "url"),
                arguments("{'databases':[],'url':'http://@billing.example/'}", "url"),
                arguments("{'databases':[],'url':'http://billing.example:65536/'}", "url"),
                arguments("{'databases':[],'url':'http://billing.example/\\n'}", "url"),
                arguments("{'databases':[],'url':'http://billing.example/%s'}".formatted("x".repeat(2048)), "url"),
                arguments("{'databases':[],'url':7}", "url"),
                arguments("{'databases':[],'kubernetes':'shop/billing'}", "kubernetes"),
                arguments("{'databases':[],'kubernetes':{}}", "kubernetes.namespace"),
                arguments("{'databases':[],'kubernetes':{'namespace':'shop'}}", "kubernetes.kind"),
                arguments("{'databases':[],'kubernetes':" + workload("shop", "Pod", "a") + "}", "kubernetes.kind"),
                arguments(
                        "{'databases':[],'kubernetes':" + workload("Shop", "Deployment", "a") + "}",
                        "kubernetes.namespace"),
                arguments(
                        "{'databases':[],'kubernetes':" + workload("a/../b", "Deployment", "a") + "}",
                        "kubernetes.namespace"),
                arguments(
                        "{'databases':[],'kubernetes':" + workload("shop", "Deployment", "../x") + "}",
                        "kubernetes.name"),
                arguments("{'databases':[],'kubernetes':{'replicas':1}}", "kubernetes.replicas"));
    }

    static Stream<Arguments> databases() {
        return Stream.of(
                arguments("", "body"),
                arguments("null", "body"),
                arguments("'text'", "body"),
                arguments("{}", "host"),
                arguments("{'host':'{host}','port':5432}", "actuator"),
                arguments("{'host':'{host}','port':5432,'actuator':{'kind':'simulated'}}", "type"),
                arguments(with("'type':'Post gres'"), "type"),
                arguments(with("'type':''"), "type"),
                arguments(with("'type':'postgres','state':'STOPPED'"), "state"),
                arguments(with("'type':'postgres','edge_version':1"), "edge_version"),
                arguments(with("'type':'postgres','power_epoch':1"), "power_epoch"),
                arguments("{'type':'postgres','host':'{host}','actuator':{'kind':'simulated'}}", "port"),
                arguments(at("'{host}',", "0"), "port"),
                arguments(at("'{host}',", "65536"), "port"),
                arguments(at("'{host}',", "-1"), "port"),
                arguments(at("'{host}',", "5432.5"), "port"),
                arguments(at("'{host}',", "5432.0"), "port"),
                arguments(at("'{host}',", "'5432'"), "port"),
                arguments(at("'{host}',", "99999999999"), "port"),
                arguments(at("'a b',", "5432"), "host"),
                arguments(at("5,", "5432"), "host"),
                arguments(at("'other',", "5432"), "id"),
                arguments(at("'{host}','ec2_instance_id':'0abc',", "5432"), "ec2_instance_id"),
                arguments(at("'{host}','ec2_instance_id':'i-0abc',", "5432"), "id"));
    }

    static Stream<Arguments> actuators() {
        var hook = "'kind':'webhook','url':'http://h.example/','status_url':'http://h.example/s'";
        return Stream.of(
                arguments("{}", "actuator.kind"),
                arguments("'simulated'", "actuator"),
                arguments("[]", "actuator"),
                arguments("{'kind':'lambda'}", "actuator.kind"),
                arguments("{'kind':'EC2'}", "actuator.kind"),
                arguments("{'kind':1}", "actuator.kind"),
                arguments("{'kind':'simulated','speed':1}", "actuator.speed"),
                arguments("{'kind':'simulated','region':'eu-central-1'}", "actuator.region"),
                arguments("{'kind':'ec2'}", "actuator.instance_id"),
                arguments("{'kind':'ec2','instance_id':'web-1'}", "actuator.instance_id"),
                arguments("{'kind':'ec2','instance_id':'i-0abc','region':'Mars'}", "actuator.region"),
                arguments("{'kind':'ec2','instance_id':'i-0abc','identifier':'a'}", "actuator.identifier"),
                arguments("{'kind':'rds'}", "actuator.identifier"),
                arguments("{'kind':'rds','identifier':'1a'}", "actuator.identifier"),
                arguments("{'kind':'rds','identifier':'a/b'}", "actuator.identifier"),
                arguments("{'kind':'rds','identifier':'a','cluster':'yes'}", "actuator.cluster"),
                arguments("{'kind':'rds','identifier':'a','cluster':1}", "actuator.cluster"),
                arguments("{'kind':'rds','identifier':'a','instance_id':'i-0abc'}", "actuator.instance_id"),
                arguments("{'kind':'kubernetes'}", "actuator.namespace"),
                arguments("{'kind':'kubernetes','namespace':'shop'}", "actuator.name"),
                arguments("{'kind':'kubernetes','namespace':'..','name':'a'}", "actuator.namespace"),
                arguments("{'kind':'kubernetes','namespace':'shop','name':'A'}", "actuator.name"),
                arguments(
                        "{'kind':'kubernetes','namespace':'shop','name':'a','workload':'DaemonSet'}",
                        "actuator.workload"),
                arguments("{'kind':'kubernetes','namespace':'shop','name':'a','cnpg_cluster':'a'}", "actuator.name"),
                arguments("{'kind':'kubernetes','cnpg_cluster':'a'}", "actuator.namespace"),
                arguments("{'kind':'kubernetes','namespace':'..','cnpg_cluster':'a'}", "actuator.namespace"),
                arguments("{'kind':'kubernetes','namespace':'shop','cnpg_cluster':'A/'}", "actuator.cnpg_cluster"),
                arguments("{'kind':'webhook'}", "actuator.url"),
                arguments("{'kind':'webhook','url':'http://h.example/'}", "actuator.status_url"),
                arguments("{'kind':'webhook','url':'gopher://h/','status_url':'http://h.example/'}", "actuator.url"),
                arguments("{'kind':'webhook','url':'http://h.example/','status_url':'h'}", "actuator.status_url"),
                arguments("{" + hook + ",'secret':''}", "actuator.secret"),
                arguments("{" + hook + ",'secret':'%s'}".formatted("x".repeat(257)), "actuator.secret"),
                arguments("{" + hook + ",'secret':5}", "actuator.secret"),
                arguments("{" + hook + ",'name':'a'}", "actuator.name"));
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.http.database.RegistryRefusalFacts#apps")
    default void anAppIsRefused(String body, String field) {
        var name = unique("refused");

        assertInvalid(put(app(name), body.replace('\'', '"')), field);
        assertProblem(get(app(name)), 404, "not-found");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.http.database.RegistryRefusalFacts#databases")
    default void aDatabaseIsRefused(String body, String field) {
        var host = unique("refused");

        assertInvalid(put(database(host + ":5432"), body.replace("{host}", host).replace('\'', '"')), field);
        assertProblem(get(database(host + ":5432")), 404, "not-found");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.http.database.RegistryRefusalFacts#actuators")
    default void anActuatorIsRefused(String actuator, String field) {
        aDatabaseIsRefused("{'type':'postgres','host':'{host}','port':5432,'actuator':%s}".formatted(actuator), field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a?b", "é", "a\nb", "a*", "😀"})
    default void aNameWithAnyOtherCharacterIsRefused(String name) {
        assertInvalid(put(app(name), "{\"databases\":[]}"), "app");
        assertInvalid(get(app(name)), "app");
        assertInvalid(RegistryCalls.delete(app(name)), "app");
        assertInvalid(get(database(name)), "database");
        assertInvalid(RegistryCalls.delete(database(name)), "database");
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0,limit",
        "limit=1001,limit",
        "limit=-1,limit",
        "limit=ten,limit",
        "limit=1e2,limit",
        "cursor=%21,cursor",
        "cursor=_w,cursor"
    })
    default void aListingIsRefused(String query, String field) {
        assertInvalid(get("/v1/apps?" + query), field);
        assertInvalid(get("/v1/databases?" + query), field);
    }

    private static String workload(String namespace, String kind, String name) {
        return "{'namespace':'%s','kind':'%s','name':'%s'}".formatted(namespace, kind, name);
    }

    private static String with(String type) {
        return "{'host':'{host}','port':5432,'actuator':{'kind':'simulated'}," + type + "}";
    }

    private static String at(String host, String port) {
        return "{'type':'postgres','actuator':{'kind':'simulated'},'host':" + host + "'port':" + port + "}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "99999999999", "9223372036854775809", "1e400", "1.5", "'5432'"})
    default void aPortOutOfRangeIsToldTheRange(String port) {
        var body = "{'type':'postgres','host':'h','port':%s,'actuator':{'kind':'simulated'}}".formatted(port);
        var refused = put(database("h:1"), body.replace('\'', '"'));

        assertInvalid(refused, "port");
        assertThat(refused.<String>path("allowed")).startsWith("a whole number from 1 to 65535");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "11", "99999999999", "1e400", "1.5", "'2'"})
    default void confirmationsOutOfRangeAreToldTheRange(String confirmations) {
        var body = "{'databases':['h:1'],'confirmations':%s}".formatted(confirmations);
        var refused = put(app(unique("range")), body.replace('\'', '"'));

        assertInvalid(refused, "confirmations");
        assertThat(refused.<String>path("allowed")).startsWith("a whole number from 1 to 10");
    }
}

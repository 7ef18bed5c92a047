package io.holdfast.http.database;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.database.RegistryCalls.SIMULATED;
import static io.holdfast.http.database.RegistryCalls.database;
import static io.holdfast.http.database.RegistryCalls.delete;
import static io.holdfast.http.database.RegistryCalls.get;
import static io.holdfast.http.database.RegistryCalls.listAll;
import static io.holdfast.http.database.RegistryCalls.on;
import static io.holdfast.http.database.RegistryCalls.put;
import static io.holdfast.http.database.RegistryCalls.putApp;
import static io.holdfast.http.database.RegistryCalls.putWith;
import static io.holdfast.http.database.RegistryCalls.registered;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.registry.DatabaseId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Databases, as they are registered, shown and forgotten. */
interface DatabaseFacts {
    static Stream<Map<String, Object>> actuators() {
        return Stream.of(
                Map.of("kind", "ec2", "instance_id", "i-0abc"),
                Map.of("kind", "ec2", "instance_id", "i-0abc", "region", "eu-central-1"),
                Map.of("kind", "rds", "identifier", "orders", "cluster", false),
                Map.of("kind", "rds", "identifier", "orders", "cluster", true, "region", "us-east-1"),
                Map.of("kind", "kubernetes", "namespace", "shop", "workload", "Deployment", "name", "neo4j"),
                Map.of("kind", "kubernetes", "namespace", "shop", "workload", "StatefulSet", "name", "postgres"),
                Map.of("kind", "kubernetes", "namespace", "shop", "cnpg_cluster", "orders"),
                Map.of("kind", "simulated"));
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.http.database.DatabaseFacts#actuators")
    default void aDatabaseIsShownAsItWasRegistered(Map<String, Object> actuator) {
        var host = unique("db");
        var expected = new HashMap<>(on(host, actuator));
        expected.put("id", host + ":5432");

        var created = put(database(host + ":5432"), on(host, actuator));

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.json().<String, Object>getMap("$")).isEqualTo(expected);
        expected.putAll(Map.of(
                "sharers", List.of(),
                "desired", "RUNNING",
                "observed", "UNDECIDED",
                "blockers", List.of("no app has requested a stop"),
                "stop_requested_by", List.of(),
                "claimed_by", List.of()));
        assertThat(get(database(host + ":5432")).json().<String, Object>getMap("$"))
                .isEqualTo(expected);
    }

    @Test
    default void aSecretIsTakenAndNeverGivenBack() {
        var host = unique("db");
        var webhook = new HashMap<String, Object>(Map.of(
                "kind", "webhook", "url", "https://hooks.example/a", "status_url", "https://hooks.example/b?c=d"));
        webhook.put("secret", "s3cret-of-hooks");

        var created = put(database(host + ":5432"), on(host, webhook));
        var found = get(database(host + ":5432"));

        webhook.remove("secret");
        webhook.put("secret_set", true);
        assertThat(found.<Map<String, Object>>path("actuator")).isEqualTo(webhook);
        assertThat(listAll("databases", 100))
                .extracting(shown -> shown.get("actuator"))
                .contains(webhook);
        for (var answer : List.of(created, found, get("/v1/databases?limit=1000"))) {
            assertThat(answer.asString()).doesNotContain("s3cret-of-hooks");
        }
    }

    /** What a GET shows of a webhook cannot be put back as it is, or the secret would be lost on the way. */
    @Test
    default void whatStandsForASecretIsNotTakenBack() {
        var shown = Map.of(
                "kind", "webhook", "url", "http://h.example/", "status_url", "http://h.example/s", "secret_set", true);

        assertInvalid(putWith(shown), "actuator.secret_set");
    }

    @Test
    default void aDatabaseOnAnInstanceIsNamedByItAndStoppedByIt() {
        var instance = "i-" + Long.toHexString(new Random().nextLong());
        var body = Map.of(
                "type", "neo4j", "host", "db.example", "ec2_instance_id", instance, "actuator", Map.of("kind", "ec2"));

        var created = put(database(instance), body);

        assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
        assertThat(created.<String>path("id")).isEqualTo(instance);
        assertThat(created.<String>path("actuator.instance_id")).isEqualTo(instance);
        assertThat(created.<Integer>path("port")).isNull();
        assertInvalid(put(database("db.example:5432"), body), "id");
    }

    @Test
    default void aWorkloadIsAStatefulSetUnlessItSays() {
        var actuator = Map.of("kind", "kubernetes", "namespace", "shop", "name", "postgres");

        assertThat(putWith(actuator).<String>path("actuator.workload")).isEqualTo("StatefulSet");
    }

    @Test
    default void puttingAgainChangesTheDatabaseAndKeepsItsLinks() {
        var id = registered();
        var app = unique("app");
        putApp(app, id).expect(201);
        var host = id.substring(0, id.indexOf(':'));

        var changed = put(database(id), on(host, Map.of("kind", "rds", "identifier", "orders")));

        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(get(database(id)).<String>path("actuator.kind")).isEqualTo("rds");
        assertThat(get(database(id)).<List<String>>path("sharers")).containsExactly(app);
    }

    @Test
    default void aDatabaseStillUsedIsNotRemovedAndSaysByWhom() {
        var id = registered();
        var apps = Stream.generate(() -> unique("app")).limit(7).sorted().toList();
        apps.forEach(app -> putApp(app, id).expect(201));

        var refused = delete(database(id));

        assertProblem(refused, 409, "database-in-use");
        assertThat(refused.<List<String>>path("apps")).isEqualTo(apps);
        assertThat(refused.<String>path("detail")).contains(id, apps.getFirst(), "2 more");
        assertThat(get(database(id)).<List<String>>path("sharers")).isEqualTo(apps);
    }

    @Test
    default void aDatabaseThatNobodyUsesIsRemoved() {
        var id = registered();

        assertThat(delete(database(id)).statusCode()).isEqualTo(204);

        assertProblem(get(database(id)), 404, "not-found");
        assertProblem(delete(database(id)), 404, "not-found");
        assertThat(listAll("databases", 100))
                .extracting(shown -> shown.get("id"))
                .doesNotContain(id);
    }

    @Test
    default void databasesAreListedInPages() {
        var ids = Stream.generate(RegistryCalls::registered).limit(5).toList();

        var listed = listAll("databases", 2);

        assertThat(listed)
                .extracting(shown -> (String) shown.get("id"))
                .containsAll(ids)
                .doesNotHaveDuplicates();
        assertThat(listed).allSatisfy(shown -> assertThat(shown).doesNotContainKey("sharers"));
    }

    @Test
    default void aHostAsLongAsANameMayBeIsOneTooLongForItsIdentifier() {
        var host = "h".repeat(DatabaseId.LENGTH_MAX - ":5432".length());

        assertThat(put(database(host + ":5432"), on(host, SIMULATED)).statusCode())
                .isIn(200, 201);
        assertInvalid(put(database(host + "h:5432"), on(host + "h", SIMULATED)), "database");
        delete(database(host + ":5432"));
    }
}

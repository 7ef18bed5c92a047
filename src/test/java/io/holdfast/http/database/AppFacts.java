package io.holdfast.http.database;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.database.RegistryCalls.app;
import static io.holdfast.http.database.RegistryCalls.database;
import static io.holdfast.http.database.RegistryCalls.delete;
import static io.holdfast.http.database.RegistryCalls.get;
import static io.holdfast.http.database.RegistryCalls.listAll;
import static io.holdfast.http.database.RegistryCalls.put;
import static io.holdfast.http.database.RegistryCalls.putApp;
import static io.holdfast.http.database.RegistryCalls.registered;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apps, as they are registered, shown and forgotten, and what that does to the databases they use. */
interface AppFacts {
    @Test
    default void anAppIsShownAsItWasRegistered() {
        var name = unique("app");
        var id = registered();
        var workload = Map.of("namespace", "shop", "kind", "Deployment", "name", "billing");
        var body = Map.of(
                "url",
                "https://billing.example/health?a=%20b",
                "probe",
                "kubernetes",
                "confirmations",
                3,
                "kubernetes",
                workload,
                "databases",
                List.of(id));

        var created = put(app(name), body);

        assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
        assertThat(created.json().<String, Object>getMap("$"))
                .containsOnlyKeys("name", "url", "probe", "confirmations", "kubernetes", "databases")
                .containsEntry("name", name)
                .containsAllEntriesOf(body);
        assertThat(get(app(name)).json().<String, Object>getMap("$"))
                .isEqualTo(created.json().<String, Object>getMap("$"));
    }

    @Test
    default void anAppNeedsNoMoreThanItsDatabases() {
        var name = unique("app");

        var created = putApp(name);

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.json().<String, Object>getMap("$"))
                .isEqualTo(Map.of("name", name, "probe", "http-200", "confirmations", 2, "databases", List.of()));
    }

    @Test
    default void puttingAgainReplacesTheDatabases() {
        var name = unique("app");
        var before = registered();
        var after = registered();
        putApp(name, before);

        var changed = putApp(name, after);

        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(get(database(before)).<List<String>>path("sharers")).isEmpty();
        assertThat(get(database(after)).<List<String>>path("sharers")).containsExactly(name);
    }

    @Test
    default void unknownDatabasesAreNamedAndNothingIsChanged() {
        var name = unique("app");
        var id = registered();
        var missing = Stream.of(unique("gone"), unique("gone")).sorted().toList();

        var refused = putApp(name, missing.get(1), id, missing.get(0));

        assertInvalid(refused, "databases");
        assertThat(refused.<String>path("allowed"))
                .contains(String.join(", ", missing))
                .doesNotContain(id);
        assertProblem(get(app(name)), 404, "not-found");
        assertThat(get(database(id)).<List<String>>path("sharers")).isEmpty();
    }

    @Test
    default void aRemovedAppIsNoSharerAnyMore() {
        var name = unique("app");
        var id = registered();
        putApp(name, id);

        assertThat(delete(app(name)).statusCode()).isEqualTo(204);

        assertProblem(get(app(name)), 404, "not-found");
        assertProblem(delete(app(name)), 404, "not-found");
        assertThat(get(database(id)).<List<String>>path("sharers")).isEmpty();
        assertThat(delete(database(id)).statusCode()).isEqualTo(204);
    }

    @Test
    default void twentyDatabasesAreTakenAndOneMoreIsNot() {
        var name = unique("app");
        var ids = Stream.generate(RegistryCalls::registered).limit(21).toArray(String[]::new);

        assertInvalid(putApp(name, ids), "databases");
        assertThat(putApp(name, Stream.of(ids).limit(20).toArray(String[]::new)).statusCode())
                .isEqualTo(201);
    }

    @Test
    default void aDatabaseNamedTwiceIsUsedOnce() {
        var name = unique("app");
        var id = registered();

        assertThat(putApp(name, id, id).<List<String>>path("databases")).containsExactly(id);
    }

    @Test
    default void appsAreListedInPages() {
        var names = Stream.generate(() -> unique("app")).limit(5).toList();
        names.forEach(RegistryCalls::putApp);

        assertThat(listAll("apps", 2))
                .extracting(shown -> (String) shown.get("name"))
                .containsAll(names)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"team/app", "DB#app", "a/../b", "ops@example.com:1", "app/stop"})
    default void anAppMayHaveAnyName(String stem) {
        var name = stem + unique("");

        assertThat(putApp(name).statusCode()).isEqualTo(201);
        assertThat(get(app(name)).<String>path("name")).isEqualTo(name);
        assertThat(delete(app(name)).statusCode()).isEqualTo(204);
    }
}

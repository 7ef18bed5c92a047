package io.holdfast.http.access;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.access.AccessFixture.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.access.model.Action;
import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A list shows what its caller may read, and its pages lead to the end. */
public interface AccessListFacts {
    @Test
    default void aListOfLocksShowsWhatTheCallerMayRead() {
        var own = unique("billing/list");
        var foreign = unique("list");
        acquire(own);
        acquire(foreign);

        assertThat(names("/v1/locks", "locks", "name", "narrow"))
                .contains(own)
                .allMatch(name -> name.startsWith("billing/"));
        assertThat(names("/v1/locks", "locks", "name", "only-read")).contains(own, foreign);
    }

    /** A cursor would tell of names that the caller may not read. */
    @Test
    default void aListOfWhatTheCallerMayNotReadIsRefused() {
        for (var list : List.of(
                "/v1/locks?prefix=list",
                "/v1/services?prefix=list",
                "/v1/clusters?prefix=list",
                "/v1/jobs?cluster=list")) {
            var refused = Calls.get(list, "Authorization", token("narrow"));

            assertProblem(refused, 403, "forbidden");
            assertThat(refused.<String>path("resource")).as(list).endsWith(list.contains("jobs") ? ":list" : ":list*");
        }
    }

    @Test
    default void aListOfAppsAndDatabasesShowsWhatTheCallerMayRead() {
        var own = unique("billing-list");
        var foreign = unique("list");
        for (var name : List.of(own, foreign)) {
            put("/v1/apps/" + name, Map.of("databases", List.of()));
            put("/v1/databases/" + name + ":5432", database(name));
        }

        assertThat(names("/v1/apps", "apps", "name", "narrow"))
                .contains(own)
                .allMatch(name -> name.startsWith("billing"));
        assertThat(names("/v1/databases", "databases", "id", "narrow"))
                .contains(own + ":5432")
                .allMatch(name -> name.startsWith("billing"));
        assertThat(names("/v1/apps", "apps", "name", "only-read")).contains(own, foreign);
    }

    @Test
    default void aListOfServicesShowsWhatTheCallerMayRead() {
        var own = unique("billing-list");
        var foreign = unique("list");
        put("/v1/services/" + own, Map.of());
        put("/v1/services/" + foreign, Map.of());

        assertThat(names("/v1/services", "services", "id", "narrow"))
                .contains(own)
                .allMatch(name -> name.startsWith("billing"));
        assertThat(names("/v1/services", "services", "id", "only-read")).contains(own, foreign);
    }

    @Test
    default void aListOfClustersAndJobsShowsThoseOfTheClustersThatTheCallerMayRead() {
        var own = unique("billing-list");
        var foreign = unique("list");
        for (var id : List.of(own, foreign)) {
            AccessActionFacts.cluster(id);
            AccessActionFacts.submit(id);
        }

        assertThat(names("/v1/clusters", "clusters", "id", "narrow"))
                .contains(own)
                .allMatch(name -> name.startsWith("billing"));
        assertThat(names("/v1/jobs", "jobs", "cluster", "narrow"))
                .contains(own)
                .allMatch(name -> name.startsWith("billing"));
        assertThat(names("/v1/jobs", "jobs", "cluster", "only-read")).contains(own, foreign);
    }

    @Test
    default void aCallerThatMayReadNothingOfAKindIsRefused() {
        assertProblem(Calls.get("/v1/services", "Authorization", token("taker")), 403, "forbidden");
        assertThat(Calls.get("/v1/services", "Authorization", token("taker")).<String>path("resource"))
                .isEqualTo("services:*");
    }

    @Test
    default void theCallerIsToldWhoItIs() {
        var me = Calls.get("/v1/access/me", "Authorization", token("narrow")).expect(200);

        assertThat(me.<String>path("mode")).isEqualTo("file");
        assertThat(me.<String>path("subject")).isEqualTo("token:narrow");
        assertThat(me.<String>path("issuer")).isEqualTo("token");
        assertThat(me.<Boolean>path("admin")).isFalse();
        assertThat(me.json().<Map<String, Object>>getList("grants"))
                .first()
                .isEqualTo(Map.of("kind", "locks", "prefix", "billing/", "actions", List.of("read", "acquire")));
        assertThat(me.<String>path("expires_at")).isNull();
        assertThat(Calls.get("/v1/access/me", "Authorization", token("admin")).<Boolean>path("admin"))
                .isTrue();
        assertThat(Calls.get("/v1/about", "Authorization", token("nobody")).<String>path("access"))
                .isEqualTo("file");
    }

    @Test
    default void theCallerIsToldWhenItsTokenExpires() {
        var me = Calls.get(
                        "/v1/access/me",
                        "Authorization",
                        AccessFixture.jwt("job", Instant.now().plusSeconds(3600)))
                .expect(200);

        assertThat(me.<String>path("subject")).isEqualTo("ci:job");
        assertThat(me.<String>path("issuer")).isEqualTo("ci");
        assertThat(Instant.parse(me.<String>path("expires_at"))).isAfter(Instant.now());
    }

    @Test
    default void theCallerCanAskWhatItMayDo() {
        var yes = can("acquire", "locks:billing/db");
        assertThat(yes.<Boolean>path("allowed")).isTrue();
        assertThat(yes.<String>path("by")).isEqualTo("grants[1].allow[0]");

        var no = can("force", "locks:billing/db");
        assertThat(no.<Boolean>path("allowed")).isFalse();
        assertThat(no.<String>path("missing")).contains(Action.FORCE.word());
        assertThat(can("admin", "holdfast").<Boolean>path("allowed")).isFalse();
    }

    private static Answer can(String action, String resource) {
        return Calls.post(
                        "/v1/access/can",
                        Map.of("action", action, "resource", resource),
                        "Authorization",
                        token("narrow"))
                .expect(200);
    }

    private static void acquire(String name) {
        Calls.post("/v1/locks/" + Calls.encoded(name), Map.of("owner", "ada"), "Authorization", token("admin"))
                .expect(201);
    }

    static void put(String path, Map<String, ?> body) {
        Calls.call("PUT", path, body, "Authorization", token("admin")).expect(201);
    }

    static Map<String, ?> database(String host) {
        return Map.of("type", "postgres", "host", host, "port", 5432, "actuator", Map.of("kind", "simulated"));
    }

    /** Of all pages, which are small. */
    private static List<String> names(String path, String list, String field, String subject) {
        var all = new ArrayList<String>();
        var more = path + (path.contains("?") ? "&" : "?") + "limit=2";
        String cursor = null;
        do {
            var page = Calls.get(cursor == null ? more : more + "&cursor=" + cursor, "Authorization", token(subject))
                    .expect(200)
                    .json();
            page.<Map<String, Object>>getList(list).forEach(item -> all.add((String) item.get(field)));
            cursor = page.getString("next_cursor");
        } while (cursor != null);
        return all;
    }
}

package io.holdfast.http.database;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.database.PowerCalls.decisions;
import static io.holdfast.http.database.PowerCalls.look;
import static io.holdfast.http.database.PowerCalls.post;
import static io.holdfast.http.database.PowerCalls.registered;
import static io.holdfast.http.database.PowerCalls.start;
import static io.holdfast.http.database.PowerCalls.stop;
import static io.holdfast.http.database.RegistryCalls.app;
import static io.holdfast.http.database.RegistryCalls.database;
import static io.holdfast.http.database.RegistryCalls.delete;
import static io.holdfast.http.database.RegistryCalls.get;
import static io.holdfast.http.database.RegistryCalls.put;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import io.holdfast.http.lock.LockCalls;
import io.holdfast.stage.FakeMachine;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a stop, a start and a look are answered, besides the scenarios. */
interface PowerAnswerFacts {
    @Test
    default void aDryRunSaysWhatWouldBeAndChangesNothing() {
        try (var stage = new TwoApps()) {
            stage.b.goDown();
            var before = look(stage.db).toString();

            var answer = post(app(stage.aName) + "/stop?dry_run=true");

            assertThat(answer.getBoolean("dry_run")).isTrue();
            assertThat(answer.getString("results[0].decision")).isEqualTo("WOULD_STOP");
            assertThat(stage.webhook.orders()).isEmpty();
            assertThat(look(stage.db).toString()).isEqualTo(before);
            assertThat(decisions(stage.db)).isEmpty();
        }
    }

    @Test
    default void aMisspeltDryRunStopsNothing() {
        try (var stage = new TwoApps()) {
            stage.b.goDown();
            var stop = app(stage.aName) + "/stop";

            var misspelt = Calls.post(stop + "?dryrun=true");

            assertInvalid(misspelt, "dryrun");
            assertThat(misspelt.<String>path("detail")).contains("did you mean dry_run?");
            var body = Calls.post(stop, Map.of("dry_run", true));
            assertInvalid(body, "body");
            assertThat(body.<String>path("detail")).endsWith("takes no body; its query takes dry_run");
            assertInvalid(Calls.post(stop + "?dry_run=true&dry_run=false"), "dry_run");
            assertThat(stage.webhook.orders()).isEmpty();
            assertThat(decisions(stage.db)).isEmpty();
        }
    }

    /** All at once, and one that cannot be stopped spoils nothing for the others. */
    @Test
    default void everyDatabaseOfAnAppGetsAnAnswerOfItsOwn() {
        try (var willing = new Webhook(new FakeMachine());
                var broken = new Webhook(new FakeMachine());
                var shared = new Webhook(new FakeMachine());
                var a = new SmallApp();
                var b = new SmallApp()) {
            var ids = List.of(registered(willing), registered(broken), registered(shared));
            var aName = registered("a", a, ids.toArray(String[]::new));
            registered("b", b, ids.get(2));
            broken.disappear();

            var results = post(app(aName) + "/stop").<Map<String, Object>>getList("results");

            assertThat(results)
                    .extracting(result -> result.get("database") + " " + result.get("decision"))
                    .containsExactlyInAnyOrder(
                            ids.get(0) + " STOPPED",
                            ids.get(1) + " STOP_FAILED",
                            ids.get(2) + " SKIPPED_SHARED_ACTIVE");
        }
    }

    @Test
    default void aStartSaysWhenEverythingRunsAndKeepsItUp() {
        try (var stage = new TwoApps()) {
            stage.a.goDown();
            stage.b.goDown();
            stop(stage.aName);

            var answer = post(app(stage.aName) + "/start");

            assertThat(answer.getBoolean("ready")).isTrue();
            assertThat(answer.getString("results[0].decision")).isEqualTo("STARTED");
            assertThat(start(stage.aName).getString("decision")).isEqualTo("RUNNING");
            assertThat(look(stage.db).<String>getList("claimed_by")).containsExactly(stage.aName);
            assertThat(stop(stage.bName).getString("reason")).isEqualTo("shared with starting apps: " + stage.aName);
            assertThat(stage.webhook.orders()).containsExactly("stop", "start");
        }
    }

    @Test
    default void anAppThatLeavesTakesItsVetoAlong() {
        try (var stage = new TwoApps()) {
            stop(stage.aName);
            stage.a.goDown();

            delete(app(stage.bName)).expect(204);

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> look(stage.db).getString("observed").equals("STOPPED"));
        }
    }

    /** A caller with little patience has asked all the same: its stop is brought to its end in its name. */
    @Test
    default void aCallerThatGoesAwayDoesNotLeaveAStopHalfDone() throws IOException {
        var machine = new FakeMachine();
        machine.beSlow();
        try (var webhook = new Webhook(machine);
                var a = new SmallApp()) {
            var db = registered(webhook);
            var aName = registered("a", a, db);
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
                socket.getOutputStream()
                        .write(("POST " + app(aName) + "/stop HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> webhook.orders().equals(List.of("stop")));
                socket.setSoLinger(true, 0);
            }
            assertThat(LockCalls.get("DB#" + db).<String>path("status")).isEqualTo("active");

            machine.finish();

            await().atMost(Duration.ofSeconds(60)).until(() -> !decisions(db).isEmpty());
            assertThat(decisions(db)).singleElement().satisfies(row -> assertThat(row)
                    .containsEntry("decision", "STOPPED")
                    .containsEntry("app", aName));
        }
    }

    /** A stop that was ordered may still come about; only its own registration can find and undo it. */
    @Test
    default void aDatabaseThatIsBeingStoppedIsNeitherRemovedNorGivenAnotherActuator() {
        var machine = new FakeMachine();
        machine.beSlow();
        try (var webhook = new Webhook(machine);
                var a = new SmallApp()) {
            var db = registered(webhook);
            var aName = registered("a", a, db);
            var stopping = CompletableFuture.supplyAsync(() -> stop(aName).getString("decision"));
            await().atMost(Duration.ofSeconds(60)).until(() -> webhook.orders().equals(List.of("stop")));
            delete(app(aName)).expect(204);
            var before = look(db).toString();

            var removal = delete(database(db));
            assertProblem(removal, 409, "order-pending");
            assertThat(removal.<String>path("detail"))
                    .isEqualTo("Database '" + db + "' is being stopped. It cannot be removed before that has ended."
                            + " Ask again when its `observed` is no longer STOPPING.");
            var change = put(database(db), body(db, webhook, Map.of("kind", "simulated")));
            assertProblem(change, 409, "order-pending");
            assertThat(change.header("Retry-After")).isNotBlank();
            put(database(db), body(db, webhook, webhook.actuator())).expect(200);
            assertThat(look(db).toString()).isEqualTo(before);

            machine.finish();
            assertThat(stopping.join()).isEqualTo("STOPPED");
            delete(database(db)).expect(204);
        }
    }

    private static Map<String, Object> body(String id, Webhook webhook, Map<String, String> actuator) {
        return Map.of(
                "type",
                "postgres",
                "host",
                "127.0.0.1",
                "port",
                webhook.port(),
                "ec2_instance_id",
                id,
                "actuator",
                actuator);
    }

    @Test
    default void decisionsComeInPagesTheNewestFirst() {
        try (var stage = new TwoApps()) {
            stop(stage.aName);
            stage.b.goDown();
            stage.a.goDown();
            stop(stage.aName);

            var first = get(database(stage.db) + "/decisions?limit=1").json();
            var second = get(database(stage.db) + "/decisions?limit=1&cursor=" + first.getString("next_cursor"))
                    .json();

            assertThat(first.getString("decisions[0].decision")).isEqualTo("STOPPED");
            assertThat(second.getString("decisions[0].decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            assertThat(second.getString("decisions[0].sharers[0].status")).isEqualTo("UP");
            assertInvalid(get(database(stage.db) + "/decisions?limit=0"), "limit");
            assertInvalid(get(database(stage.db) + "/decisions?cursor=%21"), "cursor");
        }
    }

    @Test
    default void aPauseHoldsAllStopsAndIsSeen() {
        try (var webhook = new Webhook(new FakeMachine());
                var a = new SmallApp()) {
            var aName = registered("a", a, registered(webhook));
            put("/v1/brake", Map.of("paused", true, "reason", "migration tonight"))
                    .expect(200);
            try {
                assertThat(get("/v1/brake").json().getString("reason")).isEqualTo("migration tonight");
                assertThat(stop(aName).getString("reason")).isEqualTo("stops are paused: migration tonight");
                assertThat(webhook.orders()).isEmpty();
            } finally {
                put("/v1/brake", Map.of("paused", false)).expect(200);
            }
            assertThat(get("/v1/brake").json().getBoolean("paused")).isFalse();
            assertInvalid(put("/v1/brake", Map.of()), "paused");
            assertInvalid(put("/v1/brake", Map.of("paused", true)), "reason");
            for (var blank : List.of("", " ", " \u2003 ")) {
                assertInvalid(put("/v1/brake", Map.of("paused", true, "reason", blank)), "reason");
            }
            assertThat(get("/v1/brake").json().getBoolean("paused")).isFalse();
        }
    }

    @Test
    default void aQuickLookAnswersAsTheProbeDoes() {
        try (var a = new SmallApp()) {
            var name = registered("a", a);

            assertThat(quick(name)).containsEntry("status", "UP").containsEntry("http_code", 200);
            a.goDown();
            assertThat(quick(name)).containsEntry("status", "DOWN").containsEntry("http_code", 503);
            a.disappear();
            assertThat(quick(name)).containsEntry("status", "UNKNOWN").containsEntry("http_code", null);
            assertThat(quick(name)).containsOnlyKeys("app", "status", "http_code", "timestamp");
        }
    }

    @Test
    default void whatIsNotThereIsNotFoundAndWhatIsWrongIsSaid() {
        var nobody = unique("nobody");

        for (var path : List.of(app(nobody) + "/stop", app(nobody) + "/start")) {
            assertProblem(Calls.post(path), 404, "not-found");
        }
        assertProblem(get("/status/quick?app=" + nobody), 404, "not-found");
        assertProblem(get(database(nobody + ":5432") + "/decisions"), 404, "not-found");
        assertInvalid(get("/status/quick"), "app");
        assertInvalid(Calls.post(app(nobody) + "/stop?dry_run=perhaps"), "dry_run");
        assertInvalid(Calls.post("/v1/apps/a%20b/stop"), "app");
    }

    @Test
    default void whatWasDecidedIsCounted() {
        try (var stage = new TwoApps()) {
            stop(stage.aName);
            stage.a.goDown();
            stop(stage.bName);

            assertThat(get("/q/metrics").asString().lines())
                    .contains(
                            "db_stop_skipped_shared_active_total{db_identifier=\"" + stage.db + "\"} 1.0",
                            "db_stop_stopped_total{db_identifier=\"" + stage.db + "\"} 1.0")
                    .anyMatch(line -> line.startsWith("lock_acquire_retries_count"))
                    .anyMatch(line -> line.startsWith("lock_acquire_duration_seconds_count"));
        }
    }

    private static Map<String, Object> quick(String app) {
        return get("/status/quick?app=" + Calls.encoded(app)).expect(200).json().getMap("$");
    }
}

package io.holdfast.http.database;

import static io.holdfast.http.database.PowerCalls.decisions;
import static io.holdfast.http.database.PowerCalls.look;
import static io.holdfast.http.database.PowerCalls.registered;
import static io.holdfast.http.database.PowerCalls.stop;
import static io.holdfast.http.database.PowerCalls.stopUnlessLocked;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Answer;
import io.holdfast.stage.FakeMachine;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The scenarios of a shared database, with apps that are really asked and a webhook that counts its orders. */
interface SharedDatabaseFacts {
    Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    default void ofThreeAppsTheLastOneOutTurnsOffTheDatabase() {
        try (var webhook = new Webhook(new FakeMachine());
                var billing = new SmallApp();
                var reports = new SmallApp();
                var web = new SmallApp()) {
            var db = registered(webhook);
            var billingName = registered("billing", billing, db);
            var reportsName = registered("reports", reports, db);
            var webName = registered("web", web, db);

            var first = stopUnlessLocked(billingName);
            assertThat(first.getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            assertThat(first.getString("reason")).contains(reportsName, webName).doesNotContain(billingName);
            assertThat(first.getLong("fencing_token")).isPositive();
            billing.goDown();
            var second = stopUnlessLocked(reportsName);
            assertThat(second.getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            assertThat(second.getString("reason")).contains(webName).doesNotContain(billingName);
            assertThat(second.<Map<String, Object>>getList("sharers"))
                    .extracting(seen -> seen.get("app") + " " + seen.get("status") + " " + seen.get("http_code"))
                    .containsExactlyInAnyOrder(billingName + " DOWN 503", webName + " UP 200");
            reports.goDown();
            assertThat(webhook.orders()).isEmpty();
            var third = stopUnlessLocked(webName);

            assertThat(third.getString("decision")).isEqualTo("STOPPED");
            assertThat(third.getString("reason"))
                    .isEqualTo("all sharing apps are down: " + billingName + ", " + reportsName);
            assertThat(webhook.orders()).containsExactly("stop");
        }
    }

    @Test
    default void oneAfterTheOtherTheSecondStopsIt() {
        try (var stage = new TwoApps()) {

            assertThat(stopUnlessLocked(stage.aName).getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            stage.a.goDown();
            assertThat(stopUnlessLocked(stage.bName).getString("decision")).isEqualTo("STOPPED");
            stage.b.goDown();

            assertThat(look(stage.db).getString("observed")).isEqualTo("STOPPED");
            assertThat(look(stage.db).<String>getList("blockers")).isEmpty();
            assertThat(stopUnlessLocked(stage.aName).getString("decision")).isEqualTo("ALREADY_STOPPED");
            assertThat(stage.webhook.orders()).containsExactly("stop");
        }
    }

    /** Each is looked at before the other is down, so neither request may stop it; it is stopped all the same, once. */
    @Test
    default void twoThatStopAtTheSameInstantEndWithTheDatabaseStoppedOnce() {
        try (var stage = new TwoApps()) {

            var other = CompletableFuture.supplyAsync(() -> stop(stage.bName).getString("decision"));
            var decisions = List.of(stop(stage.aName).getString("decision"), other.join());
            assertThat(decisions)
                    .allSatisfy(decision -> assertThat(decision).isIn("SKIPPED_SHARED_ACTIVE", "SKIPPED_LOCK"));
            stage.a.goDown();
            stage.b.goDown();

            await().atMost(PATIENCE)
                    .until(() -> look(stage.db).getString("observed").equals("STOPPED"));
            assertThat(stage.webhook.orders()).containsExactly("stop");
            // The row of a decision is written after what it tells of.
            await().atMost(PATIENCE)
                    .until(() -> decisions(stage.db).getFirst().get("decision").equals("STOPPED"));
            assertThat(decisions(stage.db).getFirst()).doesNotContainKey("app");
        }
    }

    @Test
    default void aLockThatStaysHeldSkipsTheStopAfterTheRetries() {
        try (var stage = new TwoApps()) {
            stop(stage.bName);
            stage.b.goDown();
            var held = acquiredSoon("DB#" + stage.db, Map.of("owner", "somebody-else"));

            var skipped = stop(stage.aName);
            assertThat(skipped.getString("decision")).isEqualTo("SKIPPED_LOCK");
            assertThat(skipped.getString("reason")).contains("somebody-else", "4 attempts");
            assertThat(stage.webhook.orders()).isEmpty();
            stage.a.goDown();
            release(held);

            await().atMost(PATIENCE)
                    .until(() -> look(stage.db).getString("observed").equals("STOPPED"));
            assertThat(stage.webhook.orders()).containsExactly("stop");
        }
    }

    /** Whoever held it is gone for good; its lease ends by itself, and then the wish is seen to. */
    @Test
    default void aLockLeftByACrashHoldsNothingUpForLong() {
        try (var stage = new TwoApps()) {
            stop(stage.bName);
            stage.b.goDown();
            acquiredSoon("DB#" + stage.db, Map.of("owner", "crashed", "ttl", "3s"));

            // On a busy machine the lease may have ended before the request got to the lock.
            assertThat(stop(stage.aName).getString("decision")).isIn("SKIPPED_LOCK", "STOPPED");
            stage.a.goDown();

            await().atMost(PATIENCE).until(() -> stage.webhook.orders().equals(List.of("stop")));
        }
    }

    /** No look is answered before all are under way, so one after another, or a few at a time, would all time out. */
    @Test
    default void twoHundredSharersAreLookedAtAtOnce() {
        var sharers = 200;
        var underWay = new CountDownLatch(sharers);
        try (var webhook = new Webhook(new FakeMachine());
                var asking = new SmallApp();
                var others = new SmallApp().goDown()) {
            others.onProbe(() -> {
                underWay.countDown();
                awaitUninterruptibly(underWay);
            });
            var db = registered(webhook);
            var name = registered("asking", asking, db);
            for (var i = 0; i < sharers; i++) {
                registered("other", others, db);
            }

            var stopped = stopUnlessLocked(name);

            assertThat(stopped.getString("decision")).as("%s", stopped).isEqualTo("STOPPED");
            assertThat(stopped.getList("sharers")).hasSize(sharers);
            assertThat(stopped.getString("reason")).endsWith("and 180 more");
        }
    }

    /** Whoever looks again and again holds it now and then, for a moment. */
    private static Answer acquiredSoon(String lock, Map<String, ?> body) {
        return await().atMost(PATIENCE).until(() -> acquire(lock, body), answer -> answer.statusCode() == 201);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    default void anUnknownAppPreventsTheStopAndIsNamed() {
        try (var stage = new TwoApps()) {
            stage.b.disappear();

            var skipped = stopUnlessLocked(stage.aName);

            assertThat(skipped.getString("decision")).isEqualTo("SKIPPED_UNKNOWN");
            assertThat(skipped.getString("reason")).contains(stage.bName);
            assertThat(look(stage.db).getString("desired")).isEqualTo("STOPPED");
            stage.a.goDown();
            var blocker = "SKIPPED_UNKNOWN: status unknown, which counts as up: " + stage.bName;
            await().atMost(PATIENCE).until(() -> look(stage.db).getList("blockers"), List.of(blocker)::equals);
            assertThat(stage.webhook.orders()).isEmpty();
        }
    }
}

package io.holdfast.http;

import static io.holdfast.http.LockCalls.acquired;
import static io.holdfast.http.LockCalls.release;
import static io.holdfast.http.PowerCalls.decisions;
import static io.holdfast.http.PowerCalls.look;
import static io.holdfast.http.PowerCalls.registered;
import static io.holdfast.http.PowerCalls.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.stage.MadeUpMachine;
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
        try (var webhook = new Webhook(new MadeUpMachine());
                var billing = new SmallApp();
                var reports = new SmallApp();
                var web = new SmallApp()) {
            var db = registered(webhook);
            var billingName = registered("billing", billing, db);
            var reportsName = registered("reports", reports, db);
            var webName = registered("web", web, db);

            var first = stop(billingName);
            assertThat(first.getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            assertThat(first.getString("reason")).contains(reportsName, webName).doesNotContain(billingName);
            assertThat(first.getLong("fencing_token")).isPositive();
            billing.goDown();
            var second = stop(reportsName);
            assertThat(second.getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            assertThat(second.getString("reason")).contains(webName).doesNotContain(billingName);
            assertThat(second.<Map<String, Object>>getList("sharers"))
                    .extracting(seen -> seen.get("app") + " " + seen.get("status") + " " + seen.get("http_code"))
                    .containsExactlyInAnyOrder(billingName + " DOWN 503", webName + " UP 200");
            reports.goDown();
            assertThat(webhook.orders()).isEmpty();
            var third = stop(webName);

            assertThat(third.getString("decision")).isEqualTo("STOPPED");
            assertThat(third.getString("reason"))
                    .isEqualTo("all sharing apps are down: " + billingName + ", " + reportsName);
            assertThat(webhook.orders()).containsExactly("stop");
        }
    }

    @Test
    default void oneAfterTheOtherTheSecondStopsIt() {
        try (var webhook = new Webhook(new MadeUpMachine());
                var a = new SmallApp();
                var b = new SmallApp()) {
            var db = registered(webhook);
            var aName = registered("a", a, db);
            var bName = registered("b", b, db);

            assertThat(stop(aName).getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            a.goDown();
            assertThat(stop(bName).getString("decision")).isEqualTo("STOPPED");
            b.goDown();

            assertThat(look(db).getString("observed")).isEqualTo("STOPPED");
            assertThat(look(db).<String>getList("blockers")).isEmpty();
            assertThat(stop(aName).getString("decision")).isEqualTo("ALREADY_STOPPED");
            assertThat(webhook.orders()).containsExactly("stop");
        }
    }

    /** Each is looked at before the other is down, so neither request may stop it; it is stopped all the same, once. */
    @Test
    default void twoThatStopAtTheSameInstantEndWithTheDatabaseStoppedOnce() {
        try (var webhook = new Webhook(new MadeUpMachine());
                var a = new SmallApp();
                var b = new SmallApp()) {
            var db = registered(webhook);
            var aName = registered("a", a, db);
            var bName = registered("b", b, db);

            var other = CompletableFuture.supplyAsync(() -> stop(bName).getString("decision"));
            var decisions = List.of(stop(aName).getString("decision"), other.join());
            assertThat(decisions)
                    .allSatisfy(decision -> assertThat(decision).isIn("SKIPPED_SHARED_ACTIVE", "SKIPPED_LOCK"));
            a.goDown();
            b.goDown();

            await().atMost(PATIENCE).until(() -> look(db).getString("observed").equals("STOPPED"));
            assertThat(webhook.orders()).containsExactly("stop");
            assertThat(decisions(db).getFirst())
                    .containsEntry("decision", "STOPPED")
                    .doesNotContainKey("app");
        }
    }

    @Test
    default void aLockThatStaysHeldSkipsTheStopAfterTheRetries() {
        try (var webhook = new Webhook(new MadeUpMachine());
                var a = new SmallApp();
                var b = new SmallApp()) {
            var db = registered(webhook);
            var aName = registered("a", a, db);
            stop(registered("b", b, db));
            b.goDown();
            var held = acquired("DB#" + db, Map.of("owner", "somebody-else"));

            var skipped = stop(aName);
            assertThat(skipped.getString("decision")).isEqualTo("SKIPPED_LOCK");
            assertThat(skipped.getString("reason")).contains("somebody-else", "4 attempts");
            assertThat(webhook.orders()).isEmpty();
            a.goDown();
            release(held);

            await().atMost(PATIENCE).until(() -> look(db).getString("observed").equals("STOPPED"));
            assertThat(webhook.orders()).containsExactly("stop");
        }
    }

    /** Whoever held it is gone for good; its lease ends by itself, and then the wish is seen to. */
    @Test
    default void aLockLeftByACrashHoldsNothingUpForLong() {
        try (var webhook = new Webhook(new MadeUpMachine());
                var a = new SmallApp();
                var b = new SmallApp()) {
            var db = registered(webhook);
            var aName = registered("a", a, db);
            stop(registered("b", b, db));
            b.goDown();
            acquired("DB#" + db, Map.of("owner", "crashed", "ttl", "3s"));

            assertThat(stop(aName).getString("decision")).isEqualTo("SKIPPED_LOCK");
            a.goDown();

            await().atMost(PATIENCE).until(() -> webhook.orders().equals(List.of("stop")));
        }
    }

    /** No look is answered before all are under way, so one after another, or a few at a time, would all time out. */
    @Test
    default void twoHundredSharersAreLookedAtAtOnce() {
        var sharers = 200;
        var underWay = new CountDownLatch(sharers);
        try (var webhook = new Webhook(new MadeUpMachine());
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

            var stopped = stop(name);

            assertThat(stopped.getString("decision")).as(stopped.prettify()).isEqualTo("STOPPED");
            assertThat(stopped.getList("sharers")).hasSize(sharers);
            assertThat(stopped.getString("reason")).endsWith("and 180 more");
        }
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
        try (var webhook = new Webhook(new MadeUpMachine());
                var a = new SmallApp();
                var b = new SmallApp()) {
            var db = registered(webhook);
            var aName = registered("a", a, db);
            var bName = registered("b", b, db);
            b.disappear();

            var skipped = stop(aName);

            assertThat(skipped.getString("decision")).isEqualTo("SKIPPED_UNKNOWN");
            assertThat(skipped.getString("reason")).contains(bName);
            assertThat(look(db).getString("desired")).isEqualTo("STOPPED");
            assertThat(look(db).<String>getList("blockers")).singleElement().satisfies(blocker -> assertThat(blocker)
                    .contains(bName));
            assertThat(webhook.orders()).isEmpty();
        }
    }
}

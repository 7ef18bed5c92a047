package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PowerState;
import io.holdfast.registry.AppName;
import java.time.Duration;
import org.awaitility.Awaitility;

/** What the facts about power have in common: a world, and one server in it. */
interface InAWorld {
    World world();

    World.Replica holdfast();

    default PowerState state() {
        return await(world().store().snapshot(world().id)).orElseThrow().state();
    }

    default void reconcile() {
        await(holdfast().reconciler().reconcileAll());
    }

    /** Asks to stop, and goes down. */
    default Decision stopped(AppName app) {
        var decision = holdfast().stop(app);
        world().apps.put(app, AppStatus.DOWN);
        return decision;
    }

    /** Looks often enough, for long enough, to believe that an app which never asked to stop is down. */
    default void reconcileUntilPatienceEnds() {
        reconcile();
        world().clock.advance(world().settings.downFor());
        reconcile();
    }

    /** Runs until the actuator is called, and never goes on; its lock is left to expire. */
    default void stopAndDie(AppName app, boolean carriedOut) {
        var dead = new FailingActuator(world().database, carriedOut);
        world().replica(dead).service().stop(app, false).subscribeAsCompletionStage();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(dead::hasDied);
        world().clock.advance(world().settings.lockTtl().plus(Fixtures.SKEW).plusMillis(1));
    }
}

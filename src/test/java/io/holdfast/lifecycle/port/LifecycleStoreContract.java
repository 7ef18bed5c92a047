package io.holdfast.lifecycle.port;

import static io.holdfast.lifecycle.model.ServiceStatus.DEPLOYING;
import static io.holdfast.lifecycle.model.ServiceStatus.FAILED;
import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.port.ServiceDriver.OTHER_SPEC;
import static io.holdfast.lifecycle.port.ServiceDriver.RULES;
import static io.holdfast.lifecycle.port.ServiceDriver.SPEC;
import static io.holdfast.lifecycle.port.ServiceDriver.anId;
import static io.holdfast.lifecycle.port.ServiceDriver.deciding;
import static io.holdfast.lifecycle.port.ServiceDriver.deploy;
import static io.holdfast.lifecycle.port.ServiceDriver.registering;
import static io.holdfast.lifecycle.port.ServiceDriver.repair;
import static io.holdfast.lifecycle.port.ServiceDriver.report;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every store of services must do. Time is an argument, so nothing here waits for it to pass. */
public abstract class LifecycleStoreContract implements ServiceListFacts, MoveFeedFacts, StatusRaceFacts {
    // Refusals first. Each changes neither the service nor its history nor the feed.

    @Test
    void aServiceThatExistsIsNotRegisteredAgain() {
        var service = driver().register(anId(), NOON);

        refused(registering(service.id(), NOON.plusSeconds(1)));
    }

    @Test
    void aServiceThatHasMovedIsNotWritten() {
        var service = driver().register(anId(), NOON);
        var late = deciding(service, deploy(), NOON.plusSeconds(1));
        driver().write(service, repair(RUNNING), NOON.plusSeconds(2));

        refused(late);
    }

    /** The rows of the moves that overtook it may have been deleted, so its own row would be new. */
    @Test
    void aServiceThatHasMovedIsNotWrittenWhicheverRowIsNew() {
        var service = driver().register(anId(), NOON);
        driver().write(service, repair(RUNNING), NOON.plusSeconds(1));
        var later = deciding(withVersion(service, service.version() + 7), deploy(), NOON.plusSeconds(2));

        refused(new StatusChange(Optional.of(service), later.after(), later.move()));
        refused(new StatusChange(Optional.of(service), Optional.empty(), later.move()));
        refused(new StatusChange(Optional.empty(), later.after(), later.move()));
    }

    private static Service withVersion(Service service, long version) {
        return new Service(
                service.id(),
                service.spec(),
                service.status(),
                version,
                service.since(),
                service.registeredAt(),
                service.deployment());
    }

    @Test
    void aServiceThatHasMovedIsNotRemoved() {
        var service = driver().register(anId(), NOON);
        var late = deciding(service, new StatusWrite.Remove(), NOON.plusSeconds(1));
        driver().write(service, deploy(), NOON.plusSeconds(2));

        refused(late);
    }

    @Test
    void aServiceThatDoesNotExistIsNotWritten() {
        var unknown = registering(anId(), NOON).after().orElseThrow();

        refused(deciding(unknown, deploy(), NOON));
        refused(deciding(unknown, new StatusWrite.Remove(), NOON));
    }

    @Test
    void aServiceThatWasRemovedIsNotWritten() {
        var service = driver().register(anId(), NOON);
        var late = deciding(service, deploy(), NOON.plusSeconds(1));
        driver().remove(service, NOON.plusSeconds(2));

        refused(late);
    }

    /** The registration was decided before an earlier service with this id came and went. */
    @Test
    void aVersionThatTheHistoryHasIsNotWrittenAgain() {
        var service = driver().register(anId(), NOON);
        var late = RULES.register(service.id(), SPEC, service.version(), NOON);
        driver().remove(service, NOON.plusSeconds(1));
        assertThat(late.move().version()).isEqualTo(service.version() + 1);

        refused(late);
    }

    @Test
    void theSpecOfAnUnknownServiceIsNotReplaced() {
        var id = anId();

        assertThat(await(store().replaceSpec(id, SPEC))).isEmpty();
        assertThat(driver().find(id)).isEmpty();
    }

    @Test
    void nothingIsWrittenBeforeSubscription() {
        var id = anId();
        var before = driver().state(id);

        store().commit(registering(id, NOON), NOON.plusSeconds(60));

        assertThat(driver().state(id)).isEqualTo(before);
    }

    private void refused(StatusChange change) {
        var before = driver().state(change.id());

        assertThat(driver().commit(change)).isFalse();

        assertThat(driver().state(change.id())).isEqualTo(before);
    }

    // What is written.

    @Test
    void everyMoveIsReadBackAsItWasWritten() {
        var idle = driver().register(anId(), NOON);
        assertThat(driver().find(idle.id())).contains(idle);
        var deploying = driver().write(idle, deploy(), NOON.plusSeconds(1));
        assertThat(driver().find(idle.id())).contains(deploying);
        var failed = driver().write(deploying, report(deploying, FAILED), NOON.plusSeconds(2));
        assertThat(driver().find(idle.id())).contains(failed);
        var repaired = driver().write(failed, repair(RUNNING), NOON.plusSeconds(3));
        assertThat(driver().find(idle.id())).contains(repaired);
        driver().remove(repaired, NOON.plusSeconds(4));
        assertThat(driver().find(idle.id())).isEmpty();
    }

    @Test
    void theHistoryHasEveryMoveTheNewestFirst() {
        var idle = driver().register(anId(), NOON);
        var deploying = driver().write(idle, deploy(), NOON.plusSeconds(1));
        var seen = deciding(
                deploying, repair(RUNNING), NOON.plus(ServiceDriver.DEADLINE).plusSeconds(1));
        driver().commit(seen);

        var history = driver().history(idle.id());

        assertThat(history).extracting(Move::to).containsExactly(to(RUNNING), to(DEPLOYING), to(IDLE));
        assertThat(history)
                .extracting(Move::version)
                .containsExactly(idle.version() + 2, idle.version() + 1, idle.version());
        assertThat(history.getFirst()).isEqualTo(seen.move());
    }

    @Test
    void theHistoryStaysWhenAServiceIsRemovedAndContinuesWhenItIsRegisteredAgain() {
        var first = driver().register(anId(), NOON);
        driver().remove(first, NOON.plusSeconds(1));
        var removed = driver().history(first.id());
        assertThat(removed).extracting(Move::to).containsExactly(Optional.empty(), to(IDLE));

        var again = RULES.register(first.id(), SPEC, removed.getFirst().version(), NOON);
        assertThat(driver().commit(again)).isTrue();

        assertThat(driver().find(first.id())).contains(again.after().orElseThrow());
        assertThat(driver().history(first.id()).getFirst()).isEqualTo(again.move());
        assertThat(driver().history(first.id())).hasSize(3);
    }

    // The spec, which is no part of the status.

    @Test
    void aNewSpecChangesNeitherStatusNorVersionNorHistory() {
        var service = driver().write(driver().register(anId(), NOON), deploy(), NOON.plusSeconds(1));
        var before = driver().state(service.id());

        assertThat(await(store().replaceSpec(service.id(), OTHER_SPEC))).contains(service.with(OTHER_SPEC));

        var after = driver().state(service.id());
        assertThat(after.service()).contains(service.with(OTHER_SPEC));
        assertThat(after.history()).isEqualTo(before.history());
        assertThat(after.feed()).isEqualTo(before.feed());
    }

    @Test
    void aMoveThatWasDecidedBeforeTheSpecWasReplacedKeepsTheNewSpec() {
        var service = driver().register(anId(), NOON);
        var late = deciding(service, deploy(), NOON.plusSeconds(1));
        await(store().replaceSpec(service.id(), OTHER_SPEC));

        assertThat(driver().commit(late)).isTrue();

        assertThat(driver().find(service.id()))
                .contains(late.after().orElseThrow().with(OTHER_SPEC));
    }

    @Test
    void aMoveAndANewSpecAtTheSameTimeAreBothWritten() {
        for (var i = 0; i < races() / 4; i++) {
            var service = driver().register(anId(), NOON);
            var move = deciding(service, deploy(), NOON.plusSeconds(1));

            await(Uni.join()
                    .all(
                            store().commit(move, NOON.plusSeconds(60)).replaceWithVoid(),
                            store().replaceSpec(service.id(), OTHER_SPEC).replaceWithVoid())
                    .andFailFast());

            assertThat(driver().find(service.id()))
                    .contains(move.after().orElseThrow().with(OTHER_SPEC));
        }
    }

    // The pause of the reconciler.

    @Test
    void thePauseIsKeptUntilItIsEnded() {
        assertThat(await(store().pause())).isEmpty();
        await(store().setPause(Optional.of("für später")));
        await(store().setPause(Optional.of("a migration")));
        assertThat(await(store().pause())).contains("a migration");
        await(store().setPause(Optional.empty()));
        await(store().setPause(Optional.empty()));

        assertThat(await(store().pause())).isEmpty();
    }

    @Test
    void theClockIsTrustedOnceTheStoreHasAnswered() {
        driver().find(new ServiceId("any"));

        assertThat(store().trustsClock()).isTrue();
    }

    private static Optional<ServiceStatus> to(ServiceStatus status) {
        return Optional.of(status);
    }
}

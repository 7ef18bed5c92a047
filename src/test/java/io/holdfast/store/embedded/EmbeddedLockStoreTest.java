package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.present;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.Presence;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.LockStoreContract;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedLockStoreTest extends LockStoreContract {
    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected LockStore store() {
        return store.locks();
    }

    @Override
    protected int rounds() {
        return 50;
    }

    @Test
    void theSubjectOfALeaseSurvivesARestart() {
        var request = Fixtures.wants(OF_A, Fixtures.aName());
        await(store().acquire(request, NOON));
        var before = await(store().find(request.name())).orElseThrow().lease();

        store.close();
        open();

        var after = await(store().find(request.name())).orElseThrow().lease();
        assertThat(after).isEqualTo(before);
        assertThat(after.owner()).isEqualTo(OF_A);
    }

    /** One process has all tickets in its memory: it confirms them to no other, and no other removes them. */
    @Test
    void noTicketIsConfirmedAndNoneIsRemoved() {
        var name = Fixtures.aName();
        await(store().acquire(Fixtures.wants(Fixtures.ADA, name), NOON));
        await(store().acquire(Fixtures.waits(Fixtures.BOB, name, NOON.plusSeconds(60)), NOON));
        var before = await(store().find(name));
        var seen = present(NOON.plusSeconds(60));

        assertThat(await(store().confirmTickets(name, new Presence(seen.replica(), NOON.plusSeconds(90)))))
                .isEqualTo(before);
        assertThat(await(store().evict(name, List.of(seen)))).isEqualTo(before);
        assertThat(await(store().find(name))).isEqualTo(before);
    }
}

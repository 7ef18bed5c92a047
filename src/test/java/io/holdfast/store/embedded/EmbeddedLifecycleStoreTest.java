package io.holdfast.store.embedded;

import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.port.ServiceDriver.KEPT;
import static io.holdfast.lifecycle.port.ServiceDriver.OTHER_SPEC;
import static io.holdfast.lifecycle.port.ServiceDriver.anId;
import static io.holdfast.lifecycle.port.ServiceDriver.anIdOf;
import static io.holdfast.lifecycle.port.ServiceDriver.deploy;
import static io.holdfast.lifecycle.port.ServiceDriver.repair;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.LifecycleStoreContract;
import io.holdfast.lifecycle.port.ServiceDriver;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedLifecycleStoreTest extends LifecycleStoreContract {
    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = open(folder, EmbeddedSettings.HERE.get());
    }

    private static EmbeddedStore open(Path folder, Executor answerOn) {
        return EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, () -> answerOn, StoreTelemetry.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    public LifecycleStore store() {
        return store.lifecycle();
    }

    /** One process has the file. */
    @Override
    public LifecycleStore otherStore() {
        return store();
    }

    @Override
    public int races() {
        return 200;
    }

    @Override
    public int orderStep() {
        return 1;
    }

    @Test
    void everythingIsThereAfterARestart() {
        var service = driver().write(driver().register(anIdOf(1), NOON), deploy(), NOON.plusSeconds(1));
        await(store().replaceSpec(service.id(), OTHER_SPEC));
        var removed = driver().register(anIdOf(2), NOON);
        driver().remove(removed, NOON.plusSeconds(1));
        await(store().setPause(Optional.of("a migration")));
        var history = driver().history(service.id());
        var feed = driver().feed(1);
        var end = await(store().feedEnd());

        store.close();
        open();

        assertThat(driver().find(service.id())).contains(service.with(OTHER_SPEC));
        assertThat(driver().find(removed.id())).isEmpty();
        assertThat(driver().history(service.id())).isEqualTo(history);
        assertThat(driver().history(removed.id())).hasSize(2);
        assertThat(driver().feed(1)).isEqualTo(feed);
        assertThat(await(store().feedEnd())).isEqualTo(end);
        assertThat(await(store().pause())).contains("a migration");
        driver().write(
                        service,
                        repair(RUNNING),
                        NOON.plus(ServiceDriver.DEADLINE).plusSeconds(2));
        assertThat(driver().feed(1)).extracting(FeedEntry::sequence).containsExactly(1L, 2L, 3L);
    }

    /** The files are copied at the moment of the answer, as a power cut would leave them. */
    @Test
    void aMoveThatIsAnsweredIsInTheFileWithItsHistoryAndItsFeedEntry() {
        var copy = folder.resolve("copy");
        Executor copyingFirst = answer -> {
            copyFiles(folder, copy);
            answer.run();
        };
        store.close();
        store = open(folder, copyingFirst);
        var service = driver().write(driver().register(anIdOf(0), NOON), deploy(), NOON.plusSeconds(1));

        try (var killed = open(copy, EmbeddedSettings.HERE.get())) {
            var driver = new ServiceDriver(killed.lifecycle());
            assertThat(driver.find(service.id())).contains(service);
            assertThat(driver.history(service.id())).isEqualTo(driver().history(service.id()));
            assertThat(driver.feed(0)).isEqualTo(driver().feed(0)).hasSize(2);
        }
    }

    @Test
    void aCommitDeletesSomeExpiredRowsAndEntriesOfItsPart() {
        var old = driver().register(anIdOf(1), NOON);
        for (var i = 1; i < 30; i++) {
            old = driver().write(old, repair(i % 2 == 0 ? IDLE : RUNNING), NOON.plusSeconds(i));
        }
        var elsewhere = driver().register(anIdOf(2), NOON);
        var later = NOON.plus(KEPT).plusSeconds(30);

        var young = driver().register(anIdOf(1), later);
        assertThat(driver().feed(1))
                .extracting(FeedEntry::sequence)
                .startsWith(21L)
                .hasSize(11);
        assertThat(driver().history(old.id())).hasSize(10);
        driver().write(young, deploy(), later.plusSeconds(1));

        assertThat(driver().feed(1)).extracting(FeedEntry::sequence).containsExactly(31L, 32L);
        assertThat(driver().history(old.id())).isEmpty();
        assertThat(driver().find(old.id())).contains(old);
        assertThat(driver().history(elsewhere.id())).hasSize(1);
        assertThat(await(store().feedEnd()).sequence(1)).isEqualTo(32);
    }

    @Test
    void rowsAreKeptUntilTheirTimeIsOver() {
        var service = driver().register(anIdOf(1), NOON);
        driver().write(service, deploy(), NOON.plus(KEPT));

        assertThat(driver().history(service.id())).hasSize(2);
        assertThat(driver().feed(1)).hasSize(2);
    }

    /** A page may be empty, and still have a next one. */
    @Test
    void aPageEndsAfterManyServicesThatDoNotMatch() {
        IntStream.range(0, 1500).forEach(i -> driver().register(new ServiceId("a-%04d".formatted(i)), NOON));
        var wanted = driver().write(driver().register(new ServiceId("b"), NOON), repair(RUNNING), NOON);
        var first = new ServiceQuery(Optional.of(RUNNING), "", 10, Optional.empty());

        var page = await(store().list(first));
        assertThat(page.items()).isEmpty();
        var second = await(store().list(new ServiceQuery(Optional.of(RUNNING), "", 10, page.next())));

        assertThat(second.items()).extracting(Service::id).isEqualTo(List.of(wanted.id()));
    }

    @Test
    void aCursorThatIsNoVersionIsRefused() {
        assertThatThrownBy(() -> await(store().history(anId(), 10, Optional.of(new Cursor("x")))))
                .isInstanceOf(InvalidInputException.class);
    }

    private static void copyFiles(Path from, Path to) {
        try {
            Files.createDirectories(to);
            for (var name : List.of("holdfast.db", "holdfast.db-wal")) {
                Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.labelled;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedConfig;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.JDBC;

/** What is the embedded store's alone: the file, its owner, its limits. */
class EmbeddedStoreTest {
    @TempDir
    Path folder;

    @Test
    void everyKindOfRecordIsReadBackAsItWasWritten() {
        Map<LockName, LockRecord> before = new HashMap<>();
        try (var store = open(EmbeddedSettings.DEFAULT)) {
            var held = grant(store, labelled(ADA, aName()));
            var renewed = grant(store, wants(ADA, aName()));
            await(store.locks().renew(renewed.ref(), Optional.of(Duration.ofMillis(1234)), NOON.plusMillis(7)));
            var released = grant(store, labelled(BOB, aName()));
            await(store.locks().release(released.ref(), NOON.plusSeconds(1)));
            var forced = grant(store, wants(BOB, aName()));
            await(store.locks().forceRelease(force(forced.name(), forced.token()), NOON));
            var delayed = grant(store, wants(BOB, aName()));
            await(store.locks().forceRelease(force(delayed.name(), delayed.token(), Duration.ofMinutes(1)), NOON));
            for (var lease : List.of(held, renewed, released, forced, delayed)) {
                before.put(lease.name(), await(store.locks().find(lease.name())).orElseThrow());
            }
        }

        try (var store = open(EmbeddedSettings.DEFAULT)) {
            before.forEach((name, record) ->
                    assertThat(await(store.locks().find(name))).contains(record));
        }
    }

    /** The files are copied at the moment of the answer, as a power cut would leave them. */
    @Test
    void whatIsAnsweredIsInTheFileAlready() {
        var copy = folder.resolve("copy");
        Executor copyingFirst = answer -> {
            copyFiles(folder, copy);
            answer.run();
        };
        Lease lease;
        try (var store =
                EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, RULES, () -> copyingFirst, StoreTelemetry.NONE)) {
            lease = grant(store, wants(ADA, aName()));
        }

        try (var store =
                EmbeddedStore.open(copy, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE)) {
            assertThat(await(store.locks().find(lease.name())).map(LockRecord::lease))
                    .contains(lease);
        }
    }

    @Test
    void aPurgedRecordIsGoneFromTheFileToo() {
        Lease lease;
        try (var store = open(EmbeddedSettings.DEFAULT)) {
            lease = grant(store, wants(ADA, aName()));
            await(store.locks().release(lease.ref(), NOON));
            await(store.locks()
                    .sweep(Optional.empty(), steps(10), NOON.plus(RETENTION).plusSeconds(1)));
        }

        try (var store = open(EmbeddedSettings.DEFAULT)) {
            assertThat(await(store.locks().find(lease.name()))).isEmpty();
        }
    }

    @Test
    void aFolderInUseIsRefusedWithItsPathInTheMessage() {
        try (var first = open(EmbeddedSettings.DEFAULT)) {
            assertThatThrownBy(() -> open(EmbeddedSettings.DEFAULT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(folder.toString())
                    .hasMessageContaining("HOLDFAST_DATA_DIR");
            assertThat(grant(first, wants(ADA, aName()))).isNotNull();
        }
    }

    @Test
    void aFolderIsFreeAgainOnceItsStoreIsClosed() {
        open(EmbeddedSettings.DEFAULT).close();
        open(EmbeddedSettings.DEFAULT).close();

        assertThat(folder).isDirectory();
    }

    @Test
    void aFileOfANewerFormatIsLeftAloneAndSaysSo() throws SQLException {
        open(EmbeddedSettings.DEFAULT).close();
        sql("PRAGMA user_version = 99");

        assertThatThrownBy(() -> open(EmbeddedSettings.DEFAULT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("format 99");
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedAndKept() throws Exception {
        Files.writeString(folder.resolve("holdfast.db"), "this is a letter, not a database, and it is long enough");

        assertThatThrownBy(() -> open(EmbeddedSettings.DEFAULT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("holdfast.db");

        assertThat(folder.resolve("holdfast.db")).content().startsWith("this is a letter");
    }

    /** Nobody guards the clock of a single process. Set right after it purged, it must not lead to lower tokens. */
    @Test
    void tokensGoOnRisingWhenTheClockThatPurgedTheRecordIsSetBack() {
        var name = aName();
        Lease before;
        try (var store = open(EmbeddedSettings.DEFAULT)) {
            before = ((AcquireOutcome.Granted)
                            await(store.locks().acquire(wants(ADA, name), NOON.plus(Duration.ofDays(10)))))
                    .lease();
            var purged = await(store.locks().sweep(Optional.empty(), steps(100), NOON.plus(Duration.ofDays(30))));
            assertThat(purged.purged()).isOne();
        }

        try (var store = open(EmbeddedSettings.DEFAULT)) {
            var reborn = grant(store, wants(ADA, name));

            assertThat(reborn.token()).isGreaterThan(before.token());
        }
    }

    @Test
    void aRecordOfANewerVersionIsRead() {
        var record = new LockCodec()
                .decode(
                        "tenant-1",
                        """
                        {"lock_id":"0b7e8f2a-5c1d-4e6f-9a3b-2c4d6e8f0a1b","owner_id":"ada","fencing_token":7,\
                        "created_at":1,"expires_at":2,"ttl_ms":1,"renewals":0,"lock_type":"tenant","highest_token":7,\
                        "metadata":{"reason":"x"},"shape":{"a":{"b":1}},"list":[1,{"c":2}],"more":true}""");

        assertThat(record.lease().labels().type()).isEqualTo(LockType.OTHER);
        assertThat(record.lease().labels().metadata()).containsOnlyKeys("reason");
    }

    @Test
    void aFullFileRefusesNewLocksAndKeepsEveryAcknowledgedOne() {
        var acknowledged = new ArrayList<Lease>();
        var small = new EmbeddedSettings(16, 10_000, 1);
        try (var store = open(small)) {
            assertThatThrownBy(() -> {
                        for (var i = 0; i < 100_000; i++) {
                            acknowledged.add(grant(store, bulky()));
                        }
                    })
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(acknowledged).isNotEmpty();
            assertThat(acknowledged).allSatisfy(lease -> assertThat(
                            await(store.locks().find(lease.name())).map(LockRecord::lease))
                    .contains(lease));
        }

        try (var store = open(EmbeddedSettings.DEFAULT)) {
            assertThat(acknowledged).allSatisfy(lease -> assertThat(
                            await(store.locks().find(lease.name())).map(LockRecord::lease))
                    .contains(lease));
            assertThat(grant(store, bulky())).isNotNull();
        }
    }

    /** One batch: renewals that fit, and a new lock that does not. Ready means that a new lock would fit, too. */
    @Test
    void aFullFileStillTakesRenewalsAndIsNotReadyUntilThereIsRoomForANewLock() {
        var small = new EmbeddedSettings(512, 10_000, 1);
        try (var store = open(small)) {
            // Its record keeps its length when it is renewed, so that it needs no room that is not there.
            var held = grant(store, wants(ADA, aName()));
            var inARow = 0;
            while (inARow < 20) {
                inARow = fits(store, bulky()) ? 0 : inARow + 1;
            }

            var renewals = new ArrayList<Uni<RenewOutcome>>();
            var refused = store.locks().acquire(bulky(), NOON).subscribeAsCompletionStage();
            for (var i = 1; i <= 9; i++) {
                var renewal = store.locks().renew(held.ref(), Optional.empty(), NOON.plusMillis(i));
                renewals.add(Uni.createFrom().completionStage(renewal.subscribeAsCompletionStage()));
            }

            assertThat(renewals)
                    .allSatisfy(renewal -> assertThat(await(renewal)).isInstanceOf(RenewOutcome.Renewed.class));
            assertThat(refused).isCompletedExceptionally();
            assertThat(await(store.check().problems()))
                    .singleElement()
                    .asString()
                    .contains("holdfast.embedded.file-megabytes-max");

            var swept = await(store.locks()
                    .sweep(Optional.empty(), steps(10_000), NOON.plus(RETENTION).plus(Duration.ofHours(1))));
            assertThat(swept.purged()).isPositive();
            assertThat(await(store.check().problems())).isEmpty();
            assertThat(grant(store, bulky())).isNotNull();
        }
    }

    @Test
    void anAnswerThatNobodyTakesAnyMoreDoesNotStopTheWriter() {
        Executor closed = answer -> {
            throw new RejectedExecutionException("closed");
        };
        try (var store =
                EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, RULES, () -> closed, StoreTelemetry.NONE)) {
            assertThat(grant(store, wants(ADA, aName()))).isNotNull();
            assertThat(grant(store, wants(ADA, aName()))).isNotNull();
        }
    }

    /** The writer is held up in an answer, the queue fills to its limit, and one more is refused at once. */
    @Test
    void aChangeBeyondTheQueueIsRefusedAtOnceAndTheOthersAreServed() throws InterruptedException {
        var blocked = new CountDownLatch(1);
        var unblock = new CountDownLatch(1);
        var first = new AtomicInteger();
        Executor slowAtFirst = answer -> {
            if (first.getAndIncrement() == 0) {
                blocked.countDown();
                awaitUninterruptibly(unblock);
            }
            answer.run();
        };
        var store = EmbeddedStore.open(
                folder, new EmbeddedSettings(1, 5, 64), RULES, () -> slowAtFirst, StoreTelemetry.NONE);
        try (store) {
            var answers = new ArrayList<Uni<AcquireOutcome>>();
            answers.add(submit(store));
            blocked.await();
            for (var i = 0; i < 5; i++) {
                answers.add(submit(store));
            }

            assertThatThrownBy(() -> await(store.locks().acquire(wants(ADA, aName()), NOON)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("holdfast.embedded.queue-max");
            unblock.countDown();

            assertThat(answers)
                    .allSatisfy(answer -> assertThat(await(answer)).isInstanceOf(AcquireOutcome.Granted.class));
        }
    }

    @Test
    void whatIsAskedOfAClosedStoreIsUnavailable() {
        var store = open(EmbeddedSettings.DEFAULT);
        store.close();

        assertThatThrownBy(() -> await(store.locks().acquire(wants(ADA, aName()), NOON)))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void everythingHandedInBeforeTheCloseIsAnswered() {
        var store = open(EmbeddedSettings.DEFAULT);
        var answers = new ArrayList<Uni<AcquireOutcome>>();
        for (var i = 0; i < 500; i++) {
            answers.add(submit(store));
        }

        store.close();

        assertThat(answers).allSatisfy(answer -> assertThat(await(answer)).isInstanceOf(AcquireOutcome.Granted.class));
    }

    private EmbeddedStore open(EmbeddedConfig config) {
        return EmbeddedStore.open(folder, config, RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
    }

    private static boolean fits(EmbeddedStore store, AcquireRequest request) {
        try {
            grant(store, request);
            return true;
        } catch (StoreUnavailableException full) {
            return false;
        }
    }

    private static Uni<AcquireOutcome> submit(EmbeddedStore store) {
        var stage = store.locks().acquire(wants(ADA, aName()), NOON).subscribeAsCompletionStage();
        return Uni.createFrom().completionStage(stage);
    }

    private static Lease grant(EmbeddedStore store, AcquireRequest request) {
        return ((AcquireOutcome.Granted) await(store.locks().acquire(request, NOON))).lease();
    }

    private static AcquireRequest bulky() {
        var metadata = new HashMap<String, String>();
        for (var i = 0; i < Labels.METADATA_ENTRIES_MAX; i++) {
            metadata.put("key-" + i, "v".repeat(Labels.METADATA_VALUE_LENGTH_MAX));
        }
        var labels = new Labels(LockType.GENERIC, Optional.empty(), metadata);
        return AcquireRequest.once(new LeaseRef(aName(), LockId.random(), ADA), Duration.ofMinutes(1), labels);
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection =
                        JDBC.createConnection(JDBC.PREFIX + folder.resolve("holdfast.db"), new Properties());
                var execution = connection.createStatement()) {
            execution.execute(statement);
        }
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

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.holdfast.store.embedded.engine.FaultyFiles;
import io.holdfast.store.embedded.engine.FaultyFiles.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fails: what callers are told, how often the file is touched, and when changes are taken again. */
class EmbeddedOutageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration BACKOFF_BASE = Duration.ofSeconds(1);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(4);
    private static final Duration PROBE_EVERY = Duration.ofSeconds(30);
    private static final EmbeddedSettings SETTINGS =
            new EmbeddedSettings(4, 100, 64, CHANGE_TIMEOUT, BACKOFF_BASE, BACKOFF_MAX, PROBE_EVERY);

    @TempDir
    Path folder;

    private final FaultyFiles files = new FaultyFiles();
    private final AtomicLong nanos = new AtomicLong();
    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(folder, SETTINGS, RULES, EmbeddedSettings.HERE, files, nanos::get);
    }

    @AfterEach
    void close() {
        files.letGo();
        store.close();
    }

    @Test
    void oneFailedCommitReopensTheFileOnceAndReadsItNotAtAll() {
        var kept = grant(wants(ADA, aName()));
        files.failNextCommit(Fault.NOT_WRITTEN);

        assertUnavailable(wants(ADA, aName()));
        awaitNoProblem();

        assertThat(grant(wants(ADA, aName()))).isNotNull();
        assertThat(await(store.locks().find(kept.name())).map(LockRecord::lease))
                .contains(kept);
        assertThat(files.reopens).hasValue(1);
        assertThat(files.loads).hasValue(1);
    }

    /** Twenty changes wait behind a commit that fails, and the file stays broken. */
    @Test
    void aBrokenFileAnswersEverythingThatWaitsAtOnceAndReadsNothingAnew() {
        files.holdNextCommit();
        files.failEveryCommit();
        var answers = new ArrayList<CompletableFuture<AcquireOutcome>>();
        answers.add(submit(wants(ADA, aName())));
        files.awaitHeld();
        for (var i = 0; i < 20; i++) {
            answers.add(submit(wants(ADA, aName())));
        }
        files.letGo();

        assertThat(answers).allSatisfy(answer -> assertThat(failure(answer))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("The data file cannot be written"));
        for (var i = 0; i < 20; i++) {
            assertUnavailable(wants(ADA, aName()));
        }
        awaitReopens(1);
        assertThat(files.loads).hasValue(1);
        // The commit that failed, and the probe of the one attempt to reopen.
        await().atMost(PATIENCE).until(() -> files.commits.get() == 2);
    }

    @Test
    void theFileIsReopenedAtOnceAndThenWithAGrowingPause() {
        files.failEveryCommit();
        files.failEveryReopening();
        assertUnavailable(wants(ADA, aName()));
        awaitProblem(FaultyFiles.failedReopening(1));

        for (var pause : List.of(BACKOFF_BASE, BACKOFF_BASE.multipliedBy(2), BACKOFF_MAX, BACKOFF_MAX)) {
            var before = files.reopens.get();
            nanos.addAndGet(pause.toNanos() - 1);
            assertUnavailable(wants(ADA, aName()));
            assertThat(files.reopens).hasValue(before);
            nanos.addAndGet(1);
            awaitProblem(FaultyFiles.failedReopening(before + 1));
        }
    }

    @Test
    void changesAreTakenAgainOnlyAfterAProbeWasWritten() {
        files.failEveryCommit();
        assertUnavailable(wants(ADA, aName()));
        awaitProblem(FaultyFiles.failedCommit(2));

        assertUnavailable(wants(ADA, aName()));
        assertThat(await(store.check().problems())).singleElement().asString().contains("cannot be written");

        files.heal();
        nanos.addAndGet(BACKOFF_MAX.toNanos());
        awaitNoProblem();
        assertThat(grant(wants(ADA, aName()))).isNotNull();
    }

    @Test
    void whatWasAcknowledgedIsReadableWhileTheFileIsBroken() {
        var kept = grant(wants(ADA, aName()));
        files.failEveryCommit();
        var inDoubt = wants(ADA, aName());
        assertUnavailable(inDoubt);

        assertThat(await(store.locks().find(kept.name())).map(LockRecord::lease))
                .contains(kept);
        assertThat(await(store.locks().find(inDoubt.name()))).isEmpty();
    }

    @Test
    void aChangeInDoubtIsSeenAsTheFileHasItOnceItIsReopened() {
        var inDoubt = wants(ADA, aName());
        files.failNextCommit(Fault.WRITTEN);
        assertUnavailable(inDoubt);
        awaitNoProblem();

        var again = await(store.locks().acquire(inDoubt, NOON));

        assertThat(again).isInstanceOf(AcquireOutcome.Granted.class);
        assertThat(await(store.locks().find(inDoubt.name()))).isPresent();
    }

    @Test
    void aFileThatWasReplacedMeanwhileIsNotWrittenTo() throws Exception {
        grant(wants(ADA, aName()));
        Files.move(folder.resolve("holdfast.db"), folder.resolve("moved.db"));
        files.failNextCommit(Fault.NOT_WRITTEN);
        assertUnavailable(wants(ADA, aName()));

        awaitProblem("Restart the service");
        assertThat(folder.resolve("holdfast.db")).doesNotExist();
        assertUnavailable(wants(ADA, aName()));
    }

    /** One change is under way on a disk that hangs; another waits behind it. Both are answered by their deadline. */
    @Test
    void aDiskThatHangsAnswersByTheDeadlineAndBeginsNothingAfterIt() {
        files.holdNextCommit();
        var first = wants(ADA, aName());
        var second = wants(ADA, aName());
        var underWay = submit(first);
        files.awaitHeld();
        var waiting = submit(second);

        nanos.addAndGet(CHANGE_TIMEOUT.toNanos() + 1);

        assertThat(failure(underWay))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("may or may not")
                .hasMessageContaining("holdfast.embedded.change-timeout");
        assertThat(failure(waiting))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("was not made")
                .hasMessageContaining("holdfast.embedded.change-timeout");
        assertThat(await(store.check().problems())).singleElement().asString().contains("disk");

        files.letGo();
        assertThat(grant(wants(ADA, aName()))).isNotNull();
        assertThat(await(store.locks().find(first.name()))).isPresent();
        assertThat(await(store.locks().find(second.name()))).isEmpty();
        awaitNoProblem();
    }

    @Test
    void anIdleStoreIsCheckedByAWriteFromTimeToTime() {
        assertThat(await(store.check().problems())).isEmpty();
        var written = files.commits.get();
        assertThat(await(store.check().problems())).isEmpty();
        assertThat(files.commits).hasValue(written);

        files.failEveryCommit();
        nanos.addAndGet(PROBE_EVERY.toNanos());
        assertThat(await(store.check().problems())).singleElement().asString().contains("cannot be written");
    }

    @Test
    void aStoreThatClosesWhileItsFileIsBrokenKeepsWhatWasAcknowledged() {
        var kept = grant(wants(ADA, aName()));
        files.failEveryCommit();
        assertUnavailable(wants(ADA, aName()));
        store.close();

        store = EmbeddedStore.open(folder, SETTINGS, RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
        assertThat(await(store.locks().find(kept.name())).map(LockRecord::lease))
                .contains(kept);
    }

    private void awaitNoProblem() {
        await().atMost(PATIENCE).until(() -> await(store.check().problems()).isEmpty());
    }

    /** Waits until the pause after the attempt that failed so has begun. The count of attempts rises before that. */
    private void awaitProblem(String message) {
        await().atMost(PATIENCE)
                .until(() -> String.join("", await(store.check().problems())).contains(message));
    }

    private void awaitReopens(int count) {
        await().atMost(PATIENCE).until(() -> files.reopens.get() == count);
    }

    private void assertUnavailable(AcquireRequest request) {
        assertThatThrownBy(() -> await(store.locks().acquire(request, NOON)))
                .isInstanceOf(StoreUnavailableException.class);
    }

    private CompletableFuture<AcquireOutcome> submit(AcquireRequest request) {
        return store.locks().acquire(request, NOON).subscribeAsCompletionStage();
    }

    private static Throwable failure(CompletableFuture<?> answer) {
        try {
            throw new AssertionError("answered: " + answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (Exception e) {
            throw new AssertionError("not answered", e);
        }
    }

    private Lease grant(AcquireRequest request) {
        return ((AcquireOutcome.Granted) await(store.locks().acquire(request, NOON))).lease();
    }
}

package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.holdfast.store.embedded.engine.FaultyFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change waits for the disk for up to {@code change-timeout}. */
class EmbeddedDeadlineTest {
    private static final EmbeddedSettings SETTINGS = new EmbeddedSettings(
            4, 100, 64, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(30));

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
    void nothingIsGrantedToACallerWhoseWaitEndedWhileTheDiskWasBusy() throws Exception {
        files.holdNextCommit();
        store.locks().acquire(wants(ADA, aName()), NOON).subscribeAsCompletionStage();
        files.awaitHeld();
        var waiter = store.locks()
                .acquire(waits(ADA, aName(), NOON.plusMillis(250)), NOON)
                .subscribeAsCompletionStage();
        nanos.addAndGet(Duration.ofSeconds(3).toNanos());

        files.letGo();

        assertThat(waiter.get(60, TimeUnit.SECONDS)).isInstanceOf(AcquireOutcome.GaveUp.class);
    }
}

package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.lookingAgain;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.JDBC;

/** A data file in the form of the version before: rows without attempts, and no table of tokens. */
class EarlierRowsTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final long TOKEN =
            FencingToken.firstAt(NOON.minusSeconds(60)).value();
    private static final LockId ID = LockId.random();
    private static final LockName HELD = new LockName("held");
    private static final LockName RELEASED = new LockName("released");
    private static final LockName FORCED = new LockName("forced");
    private static final LeaseRef ADAS = new LeaseRef(HELD, ID, ADA);

    @TempDir
    Path folder;

    private EmbeddedStore store;
    private LockStore locks;

    @BeforeEach
    void open() throws SQLException {
        try (var file = JDBC.createConnection(JDBC.PREFIX + folder.resolve("holdfast.db"), new Properties());
                var statement = file.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA application_id = " + 0x484c4446);
            statement.execute("PRAGMA user_version = 1");
            statement.execute("CREATE TABLE locks (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
            put(statement, HELD, lease(TOKEN) + "}");
            put(statement, RELEASED, lease(TOKEN) + ",\"released_at\":" + NOON.toEpochMilli() + "}");
            put(
                    statement,
                    FORCED,
                    lease(TOKEN + 1) + ",\"released_at\":" + NOON.toEpochMilli() + ",\"closed_until\":"
                            + NOON.plusSeconds(10).toEpochMilli() + ",\"release_reason\":\"the holder is gone\"}");
        }
        store = EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
        locks = store.locks();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void put(java.sql.Statement statement, LockName name, String value) throws SQLException {
        statement.execute("INSERT INTO locks (key, value) VALUES ('" + name.value() + "', '" + value + "')");
    }

    private static String lease(long highest) {
        return "{\"lock_id\":\"" + ID.value() + "\",\"owner_id\":\"ada\",\"fencing_token\":" + TOKEN
                + ",\"created_at\":" + NOON.toEpochMilli() + ",\"expires_at\":"
                + NOON.plus(TTL).toEpochMilli() + ",\"ttl_ms\":" + TTL.toMillis() + ",\"renewals\":0,\"renew_until\":"
                + NOON.plus(Duration.ofHours(1)).toEpochMilli()
                + ",\"lock_type\":\"generic\",\"user_email\":\"ada@example.com\",\"metadata\":{\"reason\":\"tests\"}"
                + ",\"highest_token\":" + highest;
    }

    @Test
    void aHeldLockIsReadAndRefusedToAnother() {
        assertThat(await(locks.find(HELD)).orElseThrow().lease().ref()).isEqualTo(ADAS);
        assertThat(await(locks.acquire(wants(BOB, HELD), NOON))).isInstanceOf(AcquireOutcome.HeldByAnother.class);
    }

    @Test
    void aHeldLockIsRenewedAndReleased() {
        assertThat(await(locks.renew(ADAS, Optional.empty(), NOON.plusSeconds(5))))
                .isInstanceOf(RenewOutcome.Renewed.class);
        assertThat(await(locks.release(ADAS, NOON.plusSeconds(6)))).isInstanceOf(ReleaseOutcome.Released.class);
    }

    @Test
    void aHeldLockIsToldToItsOwnerAgainAndThenBelongsToThatAttempt() {
        var request = AcquireRequest.once(ADAS, TTL, Labels.NONE);

        assertThat(await(locks.acquire(request, NOON))).isInstanceOf(AcquireOutcome.AlreadyHeld.class);
        assertThat(await(locks.find(HELD)).orElseThrow().attempts().current()).isEqualTo(request.attempt());
    }

    @Test
    void aHeldLockIsForcedFree() {
        assertThat(await(locks.forceRelease(force(HELD, new FencingToken(TOKEN)), NOON)))
                .isInstanceOf(ForceReleaseOutcome.Freed.class);
    }

    @Test
    void aHeldLockIsWaitedForAndGranted() {
        var bob = waits(BOB, HELD, NOON.plusSeconds(60));
        assertThat(await(locks.acquire(bob, NOON))).isInstanceOf(AcquireOutcome.Queued.class);
        await(locks.release(ADAS, NOON));

        assertThat(granted(lookingAgain(bob), NOON).token().value()).isEqualTo(TOKEN + 1);
    }

    @Test
    void anExpiredLockIsTakenOver() {
        granted(wants(BOB, HELD), NOON.plus(TTL).plus(SKEW).plusMillis(1));
    }

    @Test
    void aReleasedLockIsGranted() {
        assertThat(await(locks.find(RELEASED)).orElseThrow().statusAt(NOON)).isEqualTo(LockStatus.RELEASED);
        assertThat(granted(wants(BOB, RELEASED), NOON).token().value()).isEqualTo(TOKEN + 1);
    }

    @Test
    void aForcedLockIsGrantedWhenItsDelayIsOver() {
        assertThat(await(locks.acquire(wants(BOB, FORCED), NOON))).isInstanceOf(AcquireOutcome.ClosedUntil.class);
        assertThat(granted(wants(BOB, FORCED), NOON.plusSeconds(10)).token().value())
                .isEqualTo(TOKEN + 2);
    }

    @Test
    void allOfThemArePurgedWhenTheirRetentionIsOver() {
        var step = await(locks.sweep(
                Optional.empty(), steps(100), NOON.plus(TTL).plus(RETENTION).plusSeconds(2)));

        assertThat(step.purged()).isEqualTo(3);
    }

    private Lease granted(AcquireRequest request, Instant now) {
        var outcome = await(locks.acquire(request, now));
        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        return ((AcquireOutcome.Granted) outcome).lease();
    }
}

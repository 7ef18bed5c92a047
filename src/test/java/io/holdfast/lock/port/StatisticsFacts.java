package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.STALE_AFTER;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Cursor;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockType;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a sweep says of the locks it saw. The store may hold those of other tests as well. */
interface StatisticsFacts {
    LockStore locks();

    @Test
    default void aSweepCountsTheLeasesThatRanOutLongAgoAndNobodyEnded() {
        var now = NOON.plus(TTL).plus(STALE_AFTER).plusMillis(1);
        var before = census(now).stale();

        granted(wants(ADA, aName()), NOON);
        granted(wants(ADA, aName()), NOON.minusMillis(1));
        granted(wants(ADA, aName()), NOON.plusMillis(1));
        await(locks().release(granted(wants(ADA, aName()), NOON).ref(), NOON));
        var takenOver = granted(wants(ADA, aName()), NOON);
        granted(wants(BOB, takenOver.name()), NOON.plus(TTL).plus(SKEW).plusMillis(1));
        var forced = granted(wants(ADA, aName()), NOON);
        await(locks().forceRelease(force(forced.name(), forced.token()), now));

        assertThat(census(now).stale()).isEqualTo(before + 2);
    }

    @Test
    default void aSweepTellsTheAgeOfTheOldestLeaseThatIsHeldByType() {
        var now = NOON.plusSeconds(60);
        var longAgo = NOON.minus(Duration.ofDays(1000));
        var age = Duration.between(longAgo, now);
        var old = granted(ofService(age.plusSeconds(1)), longAgo);
        var older = granted(ofService(age.plusSeconds(1)), longAgo.minusMillis(5));

        assertThat(census(now).longestHeld())
                .containsKeys(LockType.values())
                .containsEntry(LockType.SERVICE, age.plusMillis(5));
        await(locks().release(older.ref(), now));
        assertThat(census(now).longestHeld()).containsEntry(LockType.SERVICE, age);
        await(locks().release(old.ref(), now));
        assertThat(census(now).longestHeld().get(LockType.SERVICE)).isLessThan(age);
    }

    @Test
    default void whatASweepRemovesIsNotCounted() {
        var now = NOON.plus(TTL).plus(RETENTION).plusMillis(1);
        census(now);
        var before = census(now).stale();
        granted(wants(ADA, aName()), NOON);

        assertThat(census(now).stale()).isEqualTo(before);
    }

    private static AcquireRequest ofService(Duration ttl) {
        return AcquireRequest.once(new LeaseRef(aName(), LockId.random(), ADA), ttl, Labels.of(LockType.SERVICE));
    }

    private Lease granted(AcquireRequest request, Instant now) {
        return ((AcquireOutcome.Granted) await(locks().acquire(request, now))).lease();
    }

    private LockStatistics census(Instant now) {
        var statistics = LockStatistics.NONE;
        var cursor = Optional.<Cursor>empty();
        do {
            var step = await(locks().sweep(cursor, steps(7), now));
            statistics = statistics.plus(step.seen().orElseThrow());
            cursor = step.next();
        } while (cursor.isPresent());
        return statistics;
    }
}

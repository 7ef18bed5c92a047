package io.holdfast.lock;

import static io.holdfast.lock.Fixtures.ADA;
import static io.holdfast.lock.Fixtures.BOB;
import static io.holdfast.lock.Fixtures.NOON;
import static io.holdfast.lock.Fixtures.RETENTION;
import static io.holdfast.lock.Fixtures.SKEW;
import static io.holdfast.lock.Fixtures.STALE_AFTER;
import static io.holdfast.lock.Fixtures.TTL;
import static io.holdfast.lock.Fixtures.aName;
import static io.holdfast.lock.Fixtures.await;
import static io.holdfast.lock.Fixtures.force;
import static io.holdfast.lock.Fixtures.steps;
import static io.holdfast.lock.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Cursor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a sweep says of the locks it saw. The store may hold those of other tests as well. */
interface CensusFacts {
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

    private Census census(Instant now) {
        var census = Census.NONE;
        var cursor = Optional.<Cursor>empty();
        do {
            var step = await(locks().sweep(cursor, steps(7), now));
            census = census.plus(step.seen().orElseThrow());
            cursor = step.next();
        } while (cursor.isPresent());
        return census;
    }
}

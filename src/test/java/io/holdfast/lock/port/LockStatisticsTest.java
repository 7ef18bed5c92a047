package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.STALE_AFTER;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockStatisticsTest {
    private static final LockRecord HELD = LockRecord.held(new Lease(
            aName(),
            LockId.random(),
            ADA,
            new FencingToken(1),
            Lease.Term.startingAt(NOON, TTL),
            Labels.of(LockType.CLUSTER)));
    private static final Instant END = NOON.plus(TTL);

    @Test
    void aLeaseIsHeldUntilItsVeryEndAndThenNoLonger() {
        assertThat(at(END.minusMillis(1)))
                .isEqualTo(new LockStatistics(0, Map.of(LockType.CLUSTER, TTL.minusMillis(1))));
        assertThat(at(END)).isEqualTo(LockStatistics.NONE);
    }

    @Test
    void aLeaseIsStaleWhenItRanOutLongerAgoThanTheLimit() {
        assertThat(at(END.plus(STALE_AFTER)).stale()).isZero();
        assertThat(at(END.plus(STALE_AFTER).plusMillis(1)).stale()).isEqualTo(1);
    }

    @Test
    void whatWasGivenBackIsNeitherHeldNorStale() {
        var ended = HELD.endedAt(NOON.plusSeconds(1));

        assertThat(LockStatistics.of(ended, STALE_AFTER, NOON.plusSeconds(2))).isEqualTo(LockStatistics.NONE);
        assertThat(LockStatistics.of(ended, STALE_AFTER, END.plus(STALE_AFTER).plusMillis(1)))
                .isEqualTo(LockStatistics.NONE);
    }

    @Test
    void aLeaseGrantedByAClockThatIsAheadHasNoAge() {
        assertThat(at(NOON.minusSeconds(1))).isEqualTo(LockStatistics.NONE);
    }

    @Test
    void togetherTheStaleAddUpAndTheOldestCounts() {
        var one = new LockStatistics(
                1, Map.of(LockType.CLUSTER, Duration.ofSeconds(5), LockType.SYSTEM, Duration.ofSeconds(1)));
        var other = new LockStatistics(2, Map.of(LockType.CLUSTER, Duration.ofSeconds(3)));

        var both = new LockStatistics(
                3, Map.of(LockType.CLUSTER, Duration.ofSeconds(5), LockType.SYSTEM, Duration.ofSeconds(1)));
        assertThat(one.plus(other)).isEqualTo(both);
        assertThat(other.plus(one)).isEqualTo(both);
        assertThat(both.longestHeld()).containsOnlyKeys(LockType.values());
    }

    private static LockStatistics at(Instant now) {
        return LockStatistics.of(HELD, STALE_AFTER, now);
    }
}

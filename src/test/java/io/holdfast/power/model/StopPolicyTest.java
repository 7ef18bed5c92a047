package io.holdfast.power.model;

import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Decision.Seen;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.SharedDatabase;
import io.holdfast.registry.Sharer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the decision table. */
class StopPolicyTest {
    private static final Duration MIN_UP = Duration.ofMinutes(5);
    private static final Duration DOWN_FOR = Duration.ofMinutes(2);
    private static final AppName A = new AppName("a");
    private static final AppName B = new AppName("b");

    @ParameterizedTest(name = "{0} and {1} → {2}")
    @MethodSource
    void theSharersDecide(AppStatus first, AppStatus second, Result expected) {
        var verdict = decide(running(), seen(A, first), seen(B, second));

        if (expected == null) {
            assertThat(verdict).isInstanceOf(StopPolicy.Choice.Stop.class);
        } else {
            assertThat(verdict).isInstanceOfSatisfying(StopPolicy.Choice.Skip.class, skip -> assertThat(skip.result())
                    .isEqualTo(expected));
        }
    }

    static Stream<Arguments> theSharersDecide() {
        return Stream.of(
                Arguments.of(AppStatus.UP, AppStatus.UP, Result.SKIPPED_SHARED_ACTIVE),
                Arguments.of(AppStatus.UP, AppStatus.DOWN, Result.SKIPPED_SHARED_ACTIVE),
                Arguments.of(AppStatus.DOWN, AppStatus.UP, Result.SKIPPED_SHARED_ACTIVE),
                Arguments.of(AppStatus.UP, AppStatus.UNKNOWN, Result.SKIPPED_SHARED_ACTIVE),
                Arguments.of(AppStatus.UNKNOWN, AppStatus.UP, Result.SKIPPED_SHARED_ACTIVE),
                Arguments.of(AppStatus.UNKNOWN, AppStatus.UNKNOWN, Result.SKIPPED_UNKNOWN),
                Arguments.of(AppStatus.UNKNOWN, AppStatus.DOWN, Result.SKIPPED_UNKNOWN),
                Arguments.of(AppStatus.DOWN, AppStatus.UNKNOWN, Result.SKIPPED_UNKNOWN),
                Arguments.of(AppStatus.DOWN, AppStatus.DOWN, null));
    }

    @Test
    void aSkipNamesExactlyWhoIsInTheWay() {
        assertThat(decide(running(), seen(A, AppStatus.UP), seen(B, AppStatus.DOWN)))
                .isEqualTo(new StopPolicy.Choice.Skip(Result.SKIPPED_SHARED_ACTIVE, "shared with active apps: a"));
        assertThat(decide(running(), seen(A, AppStatus.DOWN), seen(B, AppStatus.UNKNOWN)))
                .isEqualTo(new StopPolicy.Choice.Skip(Result.SKIPPED_UNKNOWN, "status unknown, which counts as up: b"));
    }

    @Test
    void aDatabaseNobodyElseUsesIsStopped() {
        assertThat(decide(running())).isEqualTo(new StopPolicy.Choice.Stop("no other app uses it"));
    }

    @Test
    void anAppThatIsStartingKeepsTheDatabaseUpThoughItIsDown() {
        var held = running(NOON.minus(MIN_UP), PowerState.Intents.NONE.claimStart(A, NOON.plusMillis(1)));

        assertThat(decide(held, seen(A, AppStatus.DOWN), seen(B, AppStatus.DOWN)))
                .isEqualTo(new StopPolicy.Choice.Skip(Result.SKIPPED_SHARED_ACTIVE, "shared with starting apps: a"));
    }

    @Test
    void aHoldThatRanOutOrWhoseAppIsGoneKeepsNothingUp() {
        var expired = running(NOON.minus(MIN_UP), PowerState.Intents.NONE.claimStart(A, NOON));
        var gone = running(
                NOON.minus(MIN_UP), PowerState.Intents.NONE.claimStart(new AppName("gone"), NOON.plusSeconds(60)));

        assertThat(decide(expired, seen(A, AppStatus.DOWN))).isInstanceOf(StopPolicy.Choice.Stop.class);
        assertThat(decide(gone, seen(B, AppStatus.DOWN))).isInstanceOf(StopPolicy.Choice.Stop.class);
    }

    /** It took its hold back when it asked to stop, so the one that is there is a newer word. */
    @Test
    void aHoldOfTheAppThatAsksKeepsTheDatabaseUp() {
        var held = running(NOON.minus(MIN_UP), PowerState.Intents.NONE.claimStart(A, NOON.plusMillis(1)));

        assertThat(decide(held, seen(B, AppStatus.DOWN)))
                .isEqualTo(new StopPolicy.Choice.Skip(Result.SKIPPED_SHARED_ACTIVE, "shared with starting apps: a"));
    }

    @Test
    void aDatabaseStartedALittleWhileAgoIsLeftAlone() {
        var young = running(NOON.minus(MIN_UP).plusMillis(1), PowerState.Intents.NONE);
        var oldEnough = running(NOON.minus(MIN_UP), PowerState.Intents.NONE);

        assertThat(decide(young, seen(A, AppStatus.DOWN)))
                .isInstanceOfSatisfying(StopPolicy.Choice.Skip.class, skip -> assertThat(skip.result())
                        .isEqualTo(Result.SKIPPED_DISABLED));
        assertThat(decide(oldEnough, seen(A, AppStatus.DOWN))).isInstanceOf(StopPolicy.Choice.Stop.class);
    }

    @Test
    void anAppThatAskedForNothingMustHaveBeenDownForAWhile() {
        assertThat(decideAfter(Map.of(A, NOON.minus(DOWN_FOR).plusMillis(1)), PowerState.Intents.NONE))
                .isEqualTo(new StopPolicy.Choice.Skip(
                        Result.SKIPPED_UNKNOWN, "down for less than 120s and without a stop request: a"));
        assertThat(decideAfter(Map.of(), PowerState.Intents.NONE)).isInstanceOf(StopPolicy.Choice.Skip.class);
        assertThat(decideAfter(Map.of(A, NOON.minus(DOWN_FOR)), PowerState.Intents.NONE))
                .isInstanceOf(StopPolicy.Choice.Stop.class);
        assertThat(decideAfter(Map.of(), PowerState.Intents.NONE.requestStop(A, NOON)))
                .isInstanceOf(StopPolicy.Choice.Stop.class);
    }

    private static StopPolicy.Choice decideAfter(Map<AppName, Instant> downSince, PowerState.Intents intents) {
        var patience = new StopPolicy.Thresholds(MIN_UP, DOWN_FOR, downSince);
        var snapshot = running(NOON.minus(MIN_UP), intents);
        return StopPolicy.decide(new StopPolicy.Question(snapshot, List.of(seen(A, AppStatus.DOWN)), patience, NOON));
    }

    private static StopPolicy.Choice decide(DatabaseSnapshot snapshot, Seen... seen) {
        var patience = new StopPolicy.Thresholds(MIN_UP, Duration.ZERO, Map.of());
        return StopPolicy.decide(new StopPolicy.Question(snapshot, Arrays.asList(seen), patience, NOON));
    }

    private static DatabaseSnapshot running() {
        return running(NOON.minus(MIN_UP), PowerState.Intents.NONE);
    }

    private static DatabaseSnapshot running(Instant since, PowerState.Intents intents) {
        var address = new Database.Address("db.example", Optional.of(5432), Optional.empty());
        var database =
                new Database(new DatabaseId("db.example:5432"), "postgres", address, new ActuatorSpec.Simulated());
        return new DatabaseSnapshot(
                new SharedDatabase(database, 1, List.of(sharer(A), sharer(B))),
                new PowerState(Phase.RUNNING, 1, since, intents));
    }

    private static Sharer sharer(AppName app) {
        return new Sharer(app, new ProbeSpec(ProbePolicy.HTTP_200, Optional.empty(), Optional.empty(), 1));
    }

    private static Seen seen(AppName app, AppStatus status) {
        return new Seen(app, status, Optional.empty(), "");
    }

    @Test
    void whatAppsThatAreGoneHaveSaidIsDroppedButForTheLastWish() {
        var intents = PowerState.Intents.NONE
                .requestStop(A, NOON)
                .requestStop(B, NOON.plusMillis(1))
                .claimStart(new AppName("c"), NOON)
                .requestStop(new AppName("d"), NOON.plusMillis(2));

        assertThat(intents.removableApps(Set.of(new AppName("d")))).containsExactly(A, new AppName("c"));
        assertThat(intents.removableApps(Set.of(A, B, new AppName("c")))).isEmpty();
        assertThat(intents.without(Set.of(A, new AppName("c"))).stopRequests()).containsOnlyKeys(B, new AppName("d"));
    }

    @Test
    void aWishReplacesAHoldAndAHoldAWish() {
        var wished = PowerState.Intents.NONE.claimStart(A, NOON).requestStop(A, NOON);
        var held = wished.claimStart(A, NOON);

        assertThat(wished).isEqualTo(new PowerState.Intents(1, Map.of(A, NOON), Map.of()));
        assertThat(held).isEqualTo(new PowerState.Intents(2, Map.of(), Map.of(A, NOON)));
    }
}

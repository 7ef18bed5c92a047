package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.holdfast.store.embedded.engine.FaultyFiles;
import io.holdfast.store.embedded.engine.FaultyFiles.Fault;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The wait queue of a lock lives in memory only. A commit that fails, whether or not it reached the disk, must leave it as
 * the waiters were told: the same requests in the same order.
 */
class EmbeddedQueueRecoveryTest {
    private static final Instant UNTIL = NOON.plusSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final FaultyFiles files = new FaultyFiles();
    private final LockName name = aName();
    private final List<AcquireRequest> waiters = Stream.of("w1", "w2", "w3", "w4")
            .map(owner -> waits(new Owner(owner), name, UNTIL))
            .toList();
    private EmbeddedStore store;
    private Lease held;

    @BeforeEach
    void fourRequestsWaitForAHeldLock() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.HERE, files, System::nanoTime);
        held = granted(ask(wants(ADA, name)));
        for (var place = 0; place < waiters.size(); place++) {
            assertThat(ask(waiters.get(place))).isInstanceOf(AcquireOutcome.Queued.class);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFailedCommitOfAnotherLockLeavesTheQueueAsItWas(Fault fault) {
        fail(fault, store.locks().acquire(wants(BOB, aName()), NOON));

        assertThat(await(store.locks().release(held.ref(), NOON))).isInstanceOf(ReleaseOutcome.Released.class);
        assertGrantedInTheOrderOfArrival(waiters);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFailedReleaseLeavesTheQueueAsItWas(Fault fault) {
        fail(fault, store.locks().release(held.ref(), NOON));

        assertThat(await(store.locks().release(held.ref(), NOON)))
                .isInstanceOf(
                        fault == Fault.WRITTEN ? ReleaseOutcome.AlreadyGone.class : ReleaseOutcome.Released.class);
        assertGrantedInTheOrderOfArrival(waiters);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFailedGrantLeavesItsRequestFirstInTheQueueOrHoldingTheLock(Fault fault) {
        await(store.locks().release(held.ref(), NOON));
        fail(fault, store.locks().acquire(waiters.getFirst(), NOON));

        var waiting = await(store.locks().find(name)).orElseThrow().queue().tickets();
        assertThat(waiting).hasSize(fault == Fault.WRITTEN ? 3 : 4);
        assertGrantedInTheOrderOfArrival(waiters);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aRequestThatFailedToJoinIsNotInTheQueue(Fault fault) {
        var other = aName();
        var holder = granted(ask(wants(ADA, other)));
        fail(fault, store.locks().acquire(waits(BOB, other, UNTIL), NOON));

        assertThat(await(store.locks().find(other)).orElseThrow().queue().tickets())
                .isEmpty();
        await(store.locks().release(holder.ref(), NOON));
        assertThat(granted(ask(wants(new Owner("newcomer"), other))).token().value())
                .isGreaterThan(holder.token().value());
    }

    @Test
    void aWaiterThatWasGrantedTheLockByAFailedCommitCanStillWithdraw() {
        await(store.locks().release(held.ref(), NOON));
        var first = waiters.getFirst();
        fail(Fault.WRITTEN, store.locks().acquire(first, NOON));

        assertThat(await(store.locks().withdraw(first.ref(), first.attempt(), NOON)))
                .isInstanceOf(WithdrawOutcome.Released.class);
        assertGrantedInTheOrderOfArrival(waiters.subList(1, waiters.size()));
    }

    @Test
    void aWaiterThatWithdrewBeforeTheFailureStaysOut() {
        var gone = waiters.get(1);
        await(store.locks().withdraw(gone.ref(), gone.attempt(), NOON));
        fail(Fault.WRITTEN, store.locks().release(held.ref(), NOON));

        assertGrantedInTheOrderOfArrival(List.of(waiters.get(0), waiters.get(2), waiters.get(3)));
    }

    /** A newcomer comes before each of them, and is refused until the queue is empty. */
    private void assertGrantedInTheOrderOfArrival(List<AcquireRequest> expected) {
        for (var i = 0; i < expected.size(); i++) {
            var newcomer = ask(wants(new Owner("newcomer"), name));
            assertThat(newcomer)
                    .as("a newcomer before %s", expected.get(i).owner())
                    .isNotInstanceOf(AcquireOutcome.Granted.class);
            for (var later : expected.subList(i + 1, expected.size())) {
                assertThat(ask(later)).isInstanceOf(AcquireOutcome.Queued.class);
            }
            var lease = granted(ask(expected.get(i)));
            assertThat(await(store.locks().release(lease.ref(), NOON))).isInstanceOf(ReleaseOutcome.Released.class);
        }
        assertThat(ask(wants(new Owner("newcomer"), name))).isInstanceOf(AcquireOutcome.Granted.class);
    }

    private void fail(Fault fault, Uni<?> change) {
        files.failNextCommit(fault);
        assertThatThrownBy(() -> await(change)).isInstanceOf(StoreUnavailableException.class);
        await().atMost(PATIENCE).until(() -> await(store.check().problems()).isEmpty());
    }

    private AcquireOutcome ask(AcquireRequest request) {
        return await(store.locks().acquire(request, NOON));
    }

    private static Lease granted(AcquireOutcome outcome) {
        return ((AcquireOutcome.Granted) outcome).lease();
    }
}

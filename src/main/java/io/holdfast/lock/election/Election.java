package io.holdfast.lock.election;

import io.holdfast.kernel.Pause;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.queue.Cleanup;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets one replica at a time run a task, elected by the Holdfast lock {@code system/<task>}. The task runs in steps,
 * and asks its {@link Term} between two of them whether to go on.
 */
public final class Election {
    private final LockName lock;
    private final Owner self;
    private final Duration ttl;
    private final LockStore store;
    private final InstantSource clock;
    private final Cleanup cleanup;
    private volatile boolean stopped;

    /** @param ttl after a crash, another replica can be elected after this time */
    public Election(String task, Duration ttl, LockStore store, InstantSource clock, Cleanup cleanup) {
        this.lock = lockOf(task);
        this.self = new Owner(task + "-" + LockId.random());
        this.ttl = ttl;
        this.store = store;
        this.clock = clock;
        this.cleanup = cleanup;
    }

    public static LockName lockOf(String task) {
        return new LockName("system/" + task);
    }

    /** Runs {@code elected} and releases the lock afterwards, or runs {@code otherwise} if another replica holds it. */
    public <T> Uni<T> run(Function<Term, Uni<T>> elected, Supplier<Uni<T>> otherwise) {
        return Uni.createFrom()
                .deferred(() -> store.acquire(request(), clock.instant()))
                .chain(outcome -> switch (outcome) {
                    case AcquireOutcome.Granted granted -> holding(granted.lease(), elected);
                    default -> otherwise.get();
                });
    }

    /** Lets the current step finish. Afterwards every {@link Term} says that its task must not go on. */
    public void stop() {
        stopped = true;
    }

    /** Each run has a lock id of its own, so that it does not rely on the lease of an earlier one. */
    private AcquireRequest request() {
        return AcquireRequest.once(new LeaseRef(lock, LockId.random(), self), ttl, Labels.of(LockType.SYSTEM));
    }

    private <T> Uni<T> holding(Lease lease, Function<Term, Uni<T>> elected) {
        return Uni.createFrom()
                .deferred(() -> elected.apply(new Term(lease)))
                .onItemOrFailure()
                .call(() -> cleanup.run(
                        lock, clock.instant().plus(ttl), () -> store.release(lease.ref(), clock.instant())));
    }

    /** The time for which this replica is elected. Used by one step at a time. */
    public final class Term {
        private volatile Lease lease;

        private Term(Lease lease) {
            this.lease = lease;
        }

        /**
         * Whether the next step may begin: the service does not stop, and the lock is still held. Renews the lease after
         * half of its TTL.
         */
        public Uni<Boolean> mayContinue() {
            if (stopped) {
                return Uni.createFrom().item(false);
            }
            var now = clock.instant();
            if (lease.remainingAt(now).compareTo(ttl.dividedBy(2)) > 0) {
                return Uni.createFrom().item(true);
            }
            return store.renew(lease.ref(), Optional.empty(), now).map(outcome -> switch (outcome) {
                case RenewOutcome.Renewed renewed -> {
                    lease = renewed.lease();
                    yield true;
                }
                case RenewOutcome.Superseded superseded -> false;
                case RenewOutcome.NotHeld notHeld -> false;
            });
        }

        /** As {@link #mayContinue}, after a pause. If the service stops already, there is no pause. */
        public Uni<Boolean> mayContinueAfter(Duration pause) {
            return stopped ? Uni.createFrom().item(false) : Pause.of(pause).chain(this::mayContinue);
        }
    }
}

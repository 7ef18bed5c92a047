package io.holdfast.lifecycle.action;

import io.holdfast.kernel.Timers;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockService;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * Runs writes under the lock of a service. Each run has an owner of its own, so that two writers of one replica exclude
 * each other, too. While a run lasts, its lease is extended before it expires. Blocks no thread.
 */
public final class StatusLock {
    private final LockService locks;
    private final Timers timers;
    private final InstantSource clock;
    private final LifecycleListener listener;

    public StatusLock(LockService locks, Timers timers, InstantSource clock, LifecycleListener listener) {
        this.locks = locks;
        this.timers = timers;
        this.clock = clock;
        this.listener = listener;
    }

    /** Runs the write if the lock can be acquired. Releases it afterwards, also after a failure. */
    public Uni<WriteOutcome> run(
            ServiceId service, Writer by, StatusLockTerms terms, Function<HeldLock, Uni<WriteOutcome>> write) {
        return Uni.createFrom().deferred(() -> attempt(new Request(service, by, terms, clock.instant()), 1, write));
    }

    private record Request(
            ServiceId service, Writer by, StatusLockTerms terms, Instant startedAt, AcquireCommand command) {
        Request(ServiceId service, Writer by, StatusLockTerms terms, Instant startedAt) {
            this(
                    service,
                    by,
                    terms,
                    startedAt,
                    new AcquireCommand(
                            service.lock(),
                            new Owner("lifecycle-" + LockId.random()),
                            Optional.of(LockId.random()),
                            LeaseTerms.once(terms.ttl()),
                            Labels.of(LockType.SERVICE)));
        }
    }

    private Uni<WriteOutcome> attempt(Request request, int number, Function<HeldLock, Uni<WriteOutcome>> write) {
        return locks.acquire(request.command()).chain(at -> switch (at.answer()) {
            case AcquireOutcome.Granted granted -> holding(request, number, granted.lease(), write);
            case AcquireOutcome.AlreadyHeld yours -> holding(request, number, yours.lease(), write);
            case AcquireOutcome.HeldByAnother held -> refused(request, number, held, write);
            case AcquireOutcome.ClosedUntil closed -> refused(request, number, closed, write);
            case AcquireOutcome.ReservedForQueue reserved -> refused(request, number, reserved, write);
            case AcquireOutcome.Queued queued -> throw neverWaits(queued);
            case AcquireOutcome.QueueFull full -> throw neverWaits(full);
            case AcquireOutcome.GaveUp gaveUp -> throw neverWaits(gaveUp);
        });
    }

    private static IllegalStateException neverWaits(AcquireOutcome outcome) {
        return new IllegalStateException("Unexpected outcome without a wait: " + outcome);
    }

    private Uni<WriteOutcome> refused(
            Request request, int number, AcquireOutcome refusal, Function<HeldLock, Uni<WriteOutcome>> write) {
        if (number >= request.terms().tries()) {
            listener.lockNotAcquired(request.service(), request.by(), number, since(request.startedAt()));
            return Uni.createFrom().item(new WriteOutcome.NotLocked(Optional.of(refusal), number));
        }
        return pause(request.terms()).chain(() -> attempt(request, number + 1, write));
    }

    private Uni<Void> pause(StatusLockTerms terms) {
        var jitter = ThreadLocalRandom.current().nextLong(terms.jitter().toMillis() + 1);
        var over = new CompletableFuture<Void>();
        timers.after(terms.pause().plusMillis(jitter), () -> over.complete(null));
        return Uni.createFrom().completionStage(over);
    }

    private Uni<WriteOutcome> holding(
            Request request, int tries, Lease lease, Function<HeldLock, Uni<WriteOutcome>> write) {
        var acquiredAt = clock.instant();
        listener.lockAcquired(request.service(), tries, Duration.between(request.startedAt(), acquiredAt));
        var held = new HeldLock(
                lease,
                request.terms(),
                locks,
                timers,
                clock,
                () -> listener.lockExtended(request.service(), request.terms().ttl()));
        held.keepExtended();
        return Uni.createFrom()
                .deferred(() -> write.apply(held))
                .onTermination()
                .call(() -> held.release().invoke(() -> listener.lockReleased(request.service(), since(acquiredAt))));
    }

    private Duration since(Instant start) {
        return Duration.between(start, clock.instant());
    }
}

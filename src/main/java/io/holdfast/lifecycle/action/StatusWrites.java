package io.holdfast.lifecycle.action;

import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.Decision;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.LifecycleRules;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Changes the status of a service: under its lock, and only if it still has the version on which the decision is based.
 * A write that lost its version is not decided again on the newer one, because it is older than that.
 */
public final class StatusWrites {
    private final LifecycleStore store;
    private final StatusLock lock;
    private final LifecycleRules rules;
    private final Duration historyRetention;
    private final InstantSource clock;
    private final LifecycleListener listener;
    private final MoveSignal signal;

    public StatusWrites(
            LifecycleStore store,
            StatusLock lock,
            LifecycleRules rules,
            Duration historyRetention,
            InstantSource clock,
            LifecycleListener listener,
            MoveSignal signal) {
        this.store = store;
        this.lock = lock;
        this.rules = rules;
        this.historyRetention = historyRetention;
        this.clock = clock;
        this.listener = listener;
        this.signal = signal;
    }

    /** Reads the service under its lock, and decides on what it has read. */
    public Uni<WriteOutcome> write(ServiceId id, StatusWrite write, StatusLockTerms terms) {
        return lock.run(id, write.by(), terms, held -> store.find(id)
                        .chain(found -> found.map(service -> decide(service, write, held))
                                .orElseGet(() -> Uni.createFrom().item(new WriteOutcome.NoSuchService()))))
                .invoke(outcome -> reportRefusal(id, write, outcome));
    }

    /**
     * Decides on a service that was read before its lock was acquired.
     *
     * @param seen refused if the service has another version or spec by now
     */
    public Uni<WriteOutcome> write(Service seen, StatusWrite write, StatusLockTerms terms) {
        return lock.run(seen.id(), write.by(), terms, held -> store.find(seen.id())
                        .chain(found -> found.map(service -> decideIfUnchanged(seen, service, write, held))
                                .orElseGet(() -> Uni.createFrom().item(new WriteOutcome.NoSuchService()))))
                .invoke(outcome -> reportRefusal(seen.id(), write, outcome));
    }

    /** A change of the spec does not change the version, but what was observed by the earlier one is out of date. */
    private Uni<WriteOutcome> decideIfUnchanged(Service seen, Service service, StatusWrite write, HeldLock held) {
        return service.version() == seen.version() && service.spec().equals(seen.spec())
                ? decide(service, write, held)
                : Uni.createFrom().item(new WriteOutcome.VersionConflict(service));
    }

    private Uni<WriteOutcome> decide(Service service, StatusWrite write, HeldLock held) {
        var decision = rules.decide(service, write, clock.instant());
        return decision.change()
                .map(change -> commit(change, decision, write, held))
                .orElseGet(() -> Uni.createFrom().item(decision.outcome()));
    }

    private Uni<WriteOutcome> commit(StatusChange change, Decision decision, StatusWrite write, HeldLock held) {
        if (!held.isValid()) {
            listener.lockLost(change.id(), write.by());
            return Uni.createFrom().item(new WriteOutcome.NotLocked(Optional.empty(), 1));
        }
        return commit(change).chain(written -> written ? Uni.createFrom().item(decision.outcome()) : current(change));
    }

    /** Writes a change, and reports it. False if the service has changed meanwhile. */
    public Uni<Boolean> commit(StatusChange change) {
        return store.commit(change, change.move().at().plus(historyRetention)).invoke(written -> {
            if (written) {
                listener.moved(change.move());
                signal.signal();
            }
        });
    }

    private Uni<WriteOutcome> current(StatusChange change) {
        return store.find(change.id()).map(found -> found.<WriteOutcome>map(WriteOutcome.VersionConflict::new)
                .orElseGet(WriteOutcome.NoSuchService::new));
    }

    private void reportRefusal(ServiceId id, StatusWrite write, WriteOutcome outcome) {
        switch (outcome) {
            case WriteOutcome.Written written -> {}
            case WriteOutcome.WrittenBefore before -> {}
            case WriteOutcome.NotLocked notLocked -> {}
            default -> listener.refused(id, write.by(), outcome);
        }
    }
}

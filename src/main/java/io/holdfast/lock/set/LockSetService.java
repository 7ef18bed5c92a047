package io.holdfast.lock.set;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockService;
import io.holdfast.lock.hold.AutoRenewals;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.ReleaseOutcome;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Several locks as one: all of them or none, for one owner and under one {@code lock_id}. They are taken one after the
 * other in the order of their names, so of two who want the same ones neither ever waits for the other for good.
 *
 * <p>Not promised: that nobody sees one of them taken before the others are.
 */
@Singleton
public class LockSetService {
    private final LockService locks;
    private final AutoRenewals renewals;
    private final LeaseRenewers renewers;
    private final LockLimits limits;

    public LockSetService(LockService locks, AutoRenewals renewals, LeaseRenewers renewers, LockLimits limits) {
        this.locks = locks;
        this.renewals = renewals;
        this.renewers = renewers;
        this.limits = limits;
    }

    /** Which locks; in the order in which they are taken, each of them once. */
    public record Names(List<LockName> all) {
        public Names {
            if (all.isEmpty()) {
                throw new InvalidInputException("names", "at least one name");
            }
            var sorted = new TreeSet<>(all);
            if (sorted.size() < all.size()) {
                throw new InvalidInputException("names", "names that differ from each other");
            }
            all = List.copyOf(sorted);
        }
    }

    public record AcquireAll(Names names, Owner owner, Optional<LockId> id, LeaseTerms terms, Labels labels) {
        AcquireCommand one(LockName name, LockId sharedId, LeaseTerms itsTerms) {
            return new AcquireCommand(name, owner, Optional.of(sharedId), itsTerms, labels);
        }
    }

    public Uni<Timestamped<AcquireAllOutcome>> acquire(AcquireAll command) {
        limits.checkSetSize(command.names().all().size());
        limits.ttl(command.terms().ttl());
        var patience = limits.waitAllowed(command.terms().waitFor());
        return Uni.createFrom().emitter(caller -> {
            var taking = new SetAcquisition(this, command, patience, caller);
            caller.onTermination(taking::abandon);
            taking.next();
        });
    }

    /** Acquires leases that the service renews from then on, as long as it hears of each. */
    public Uni<Timestamped<AcquireAllOutcome>> acquireRenewed(AcquireAll command) {
        var names = command.names();
        var full = new AcquireAll(
                names, command.owner(), command.id(), renewals.inFull(command.terms()), command.labels());
        var acquired = acquire(full);
        return Uni.createFrom().deferred(() -> {
            var refusal = renewals.noRoomFor(names.all().size(), names.all().getFirst());
            return refusal.isPresent()
                    ? Uni.createFrom()
                            .item(new Timestamped<>(new AcquireAllOutcome.Blocked(refusal.get()), renewers.now()))
                    : acquired.invoke(at -> {
                        if (at.answer() instanceof AcquireAllOutcome.AllGranted granted) {
                            granted.leases().forEach(renewals::renew);
                        }
                    });
        });
    }

    /**
     * Each by itself: a lock that another owner holds, or that is released already, is left as it is. If several releases
     * fail, the caller is told of the first failure.
     */
    public Uni<Timestamped<List<ReleaseOutcome>>> release(Names names, LockId id, Owner owner) {
        limits.checkSetSize(names.all().size());
        var released = names.all().stream()
                .map(name -> locks.release(new LeaseRef(name, id, owner)))
                .toList();
        return Uni.join()
                .all(released)
                .andCollectFailures()
                .onFailure(CompositeException.class)
                .transform(several -> several.getCauses().getFirst())
                .map(all ->
                        new Timestamped<>(all.stream().map(Timestamped::answer).toList(), renewers.now()));
    }

    /** When a lease that was granted by now, under these terms, has run out. */
    Instant expiryOf(LeaseTerms terms, Instant now) {
        return now.plus(limits.ttl(terms.ttl()));
    }

    LockService locks() {
        return locks;
    }

    LeaseRenewers renewers() {
        return renewers;
    }
}

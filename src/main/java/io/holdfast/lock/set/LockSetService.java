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
 * Acquires several locks, all or none, for one owner and with one {@code lock_id}. It acquires them in the order of
 * their names, so two requests for the same locks cannot deadlock.
 *
 * <p>Not promised: atomicity for observers. Other clients can see that one lock is held before the others are.
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

    /** The distinct names of the locks, in the order in which they are acquired. */
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

    /** @throws io.holdfast.kernel.InvalidInputException if there are too many for one set */
    public void checkSize(Names names) {
        limits.checkSetSize(names.all().size());
    }

    public Uni<Timestamped<AcquireAllOutcome>> acquire(AcquireAll command) {
        checkSize(command.names());
        limits.ttl(command.terms().ttl());
        var wait = limits.waitAllowed(command.terms().waitFor());
        return Uni.createFrom().emitter(caller -> {
            var acquisition = new SetAcquisition(this, command, wait, caller);
            caller.onTermination(acquisition::cancel);
            acquisition.next();
        });
    }

    /** Acquires leases that the service renews while their holder sends heartbeats. */
    public Uni<Timestamped<AcquireAllOutcome>> acquireRenewed(AcquireAll command) {
        var names = command.names();
        var full = new AcquireAll(
                names, command.owner(), command.id(), renewals.withDefaults(command.terms()), command.labels());
        var acquired = acquire(full);
        return Uni.createFrom().deferred(() -> {
            var refusal = renewals.refusalFor(names.all().size(), names.all().getFirst());
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
     * Releases each lock independently. A lock that is not held by this lease is not changed. If several releases fail, the
     * caller is told of the first failure.
     */
    public Uni<Timestamped<List<ReleaseOutcome>>> release(Names names, LockId id, Owner owner) {
        checkSize(names);
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

    /** When a lease that is granted now with these terms expires. */
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

package io.holdfast.lock;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.LockService.At;
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
public class LockSets {
    private final LockService locks;
    private final AutoRenewals renewals;
    private final Keepers keepers;
    private final LockLimits limits;

    public LockSets(LockService locks, AutoRenewals renewals, Keepers keepers, LockLimits limits) {
        this.locks = locks;
        this.renewals = renewals;
        this.keepers = keepers;
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

    public record AcquireAll(Names names, Owner owner, Optional<LockId> id, LockService.Wish terms, Labels labels) {
        LockService.Acquire one(LockName name, LockId sharedId, LockService.Wish itsTerms) {
            return new LockService.Acquire(name, owner, Optional.of(sharedId), itsTerms, labels);
        }
    }

    public Uni<At<AcquireAllOutcome>> acquire(AcquireAll wish) {
        limits.checkSetSize(wish.names().all().size());
        limits.ttl(wish.terms().ttl());
        var patience = limits.patience(wish.terms().waitFor());
        return Uni.createFrom().emitter(caller -> {
            var taking = new Taking(this, wish, patience, caller);
            caller.onTermination(taking::abandon);
            taking.next();
        });
    }

    /** Acquires leases that the service renews from then on, as long as it hears of each. */
    public Uni<At<AcquireAllOutcome>> acquireRenewed(AcquireAll wish) {
        var names = wish.names();
        var full = new AcquireAll(names, wish.owner(), wish.id(), renewals.inFull(wish.terms()), wish.labels());
        var acquired = acquire(full);
        return Uni.createFrom().deferred(() -> {
            var refusal = renewals.noRoomFor(names.all().size(), names.all().getFirst());
            return refusal.isPresent()
                    ? Uni.createFrom().item(new At<>(new AcquireAllOutcome.Blocked(refusal.get()), keepers.now()))
                    : acquired.invoke(at -> {
                        if (at.answer() instanceof AcquireAllOutcome.AllGranted granted) {
                            granted.leases().forEach(renewals::renew);
                        }
                    });
        });
    }

    /** Each by itself: one that is gone or another's is left as it is, and the others are given back all the same. */
    public Uni<At<List<ReleaseOutcome>>> release(Names names, LockId id, Owner owner) {
        limits.checkSetSize(names.all().size());
        var released = names.all().stream()
                .map(name -> locks.release(new LeaseRef(name, id, owner)))
                .toList();
        return Uni.join()
                .all(released)
                .andCollectFailures()
                .map(all -> new At<>(all.stream().map(At::answer).toList(), keepers.now()));
    }

    /** When a lease that was granted by now, under these terms, has run out. */
    Instant expiryOf(LockService.Wish terms, Instant now) {
        return now.plus(limits.ttl(terms.ttl()));
    }

    LockService locks() {
        return locks;
    }

    Keepers keepers() {
        return keepers;
    }
}

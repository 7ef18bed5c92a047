package io.holdfast.http.lock;

import io.holdfast.http.wire.Times;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import java.util.Optional;

/**
 * Explains to a caller that does not hold a lock how the lock differs from its request, and what to do. It contains nothing
 * that reading the lock does not show.
 */
final class NotHeldDetail {
    private static final String STOP = " Stop the work it guarded";

    private NotHeldDetail() {}

    /** @param holder the lease that holds the lock now */
    static String of(LeaseClaim claim, Lease holder) {
        return begin(claim) + difference(claim, holder);
    }

    /** @param record of the lock, which is free; none if it has no record */
    static String of(LeaseClaim claim, Optional<LockRecord> record) {
        return begin(claim)
                + record.map(last -> end(claim, last))
                        .orElse("it has no record, so it was never acquired or ended long ago")
                + "." + STOP + "; to go on, acquire the lock again.";
    }

    /** The owner with its subject, if there is one. */
    static String named(Owner owner) {
        return owner.subject().map(subject -> owner + " as " + subject).orElse(owner.value());
    }

    private static String begin(LeaseClaim claim) {
        return "You do not hold lock '%s': ".formatted(claim.name());
    }

    private static String difference(LeaseClaim claim, Lease holder) {
        var sameId = holder.id().equals(claim.ref().id());
        var asked = claim.ref().owner();
        if (!holder.owner().isSameAs(asked)) {
            if (sameId && holder.owner().value().equals(asked.value())) {
                return "the lease belongs to another subject: it is of %s, and you are %s. Use the credentials with which it was acquired."
                        .formatted(named(holder.owner()), named(asked));
            }
            return sameId
                    ? "the owner of this lock_id is %s, not %s. Name the owner that acquired the lock."
                            .formatted(holder.owner(), asked)
                    : "it is held by %s until %s.%s."
                            .formatted(named(holder.owner()), Times.sentence(holder.expiresAt()), STOP);
        }
        if (!sameId) {
            return ("%s holds it with another lock_id since %s. Stop the work that the earlier lease guarded, or name the"
                            + " lock_id of the later one.")
                    .formatted(holder.owner(), Times.sentence(holder.term().acquiredAt()));
        }
        return claim.token()
                .filter(named -> !named.equals(holder.token()))
                .map(named -> otherToken(named, holder.token()))
                .orElse("a later request of %s has taken it over.%s, or leave it to that request."
                        .formatted(holder.owner(), STOP));
    }

    private static String otherToken(FencingToken named, FencingToken present) {
        return named.compareTo(present) < 0
                ? ("its fencing_token is %s, not %s, so the lease was lost and the lock acquired again. Stop the work that"
                                + " the earlier token guarded.")
                        .formatted(present, named)
                : "its fencing_token is %s, not %s. Name the one that the acquire answered.".formatted(present, named);
    }

    private static String end(LeaseClaim claim, LockRecord last) {
        var lease = last.lease();
        var which = lease.is(claim.ref()) ? "the lease" : "its last lease, of %s,".formatted(lease.owner());
        return which
                + last.end()
                        .map(end -> end.forcedBecause()
                                .map(reason -> " was taken away by an administrator at %s (%s)"
                                        .formatted(Times.sentence(end.at()), reason))
                                .orElseGet(() -> " was released at " + Times.sentence(end.at())))
                        .orElseGet(() -> " expired at " + Times.sentence(lease.expiresAt()));
    }
}

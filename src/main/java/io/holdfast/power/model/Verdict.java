package io.holdfast.power.model;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.model.Decision.Evidence;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Decision.Seen;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;

/** A decision about a database before it is recorded. */
public record Verdict(Result result, String reason, Evidence evidence) {
    public static Uni<Verdict> of(Result result, String reason) {
        return of(result, reason, 0);
    }

    public static Uni<Verdict> of(Result result, String reason, DatabaseSnapshot snapshot) {
        return of(result, reason, snapshot.state().epoch());
    }

    public static Uni<Verdict> of(Result result, String reason, long epoch) {
        return Uni.createFrom().item(new Verdict(result, reason, new Evidence(List.of(), Optional.empty(), epoch)));
    }

    public Verdict withSharers(List<Seen> seen) {
        return new Verdict(result, reason, new Evidence(seen, evidence.token(), evidence.epoch()));
    }

    public Verdict withLease(Lease lease) {
        return new Verdict(
                result, reason, new Evidence(evidence.sharers(), Optional.of(lease.token()), evidence.epoch()));
    }
}

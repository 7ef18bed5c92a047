package io.holdfast.power;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.Decision.Evidence;
import io.holdfast.power.Decision.Seen;
import io.holdfast.power.Decision.What;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;

/** What became of a look at a database, before it is written down. */
record Verdict(What what, String reason, Evidence evidence) {
    static Uni<Verdict> of(What what, String reason) {
        return of(what, reason, 0);
    }

    static Uni<Verdict> of(What what, String reason, Situation situation) {
        return of(what, reason, situation.state().epoch());
    }

    static Uni<Verdict> of(What what, String reason, long epoch) {
        return Uni.createFrom().item(new Verdict(what, reason, new Evidence(List.of(), Optional.empty(), epoch)));
    }

    Verdict having(List<Seen> seen) {
        return new Verdict(what, reason, new Evidence(seen, evidence.token(), evidence.epoch()));
    }

    Verdict under(Lease lease) {
        return new Verdict(
                what, reason, new Evidence(evidence.sharers(), Optional.of(lease.token()), evidence.epoch()));
    }
}

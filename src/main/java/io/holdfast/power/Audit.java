package io.holdfast.power;

import io.holdfast.power.Stopper.Timing;
import io.holdfast.power.Stopper.Verdict;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Writes every decision down: for the answer, for the listener, and as a row that lasts. */
@Singleton
class Audit {
    private static final Logger LOG = Logger.getLogger(Audit.class);

    private final PowerStore store;
    private final Outside outside;
    private final Timing timing;

    Audit(PowerStore store, Outside outside, Timing timing) {
        this.store = store;
        this.outside = outside;
        this.timing = timing;
    }

    /** A row that cannot be written does not undo what was done; it is in the log all the same. */
    Uni<Decision> write(Database database, Verdict verdict, Optional<AppName> by, Instant started) {
        var decision = decision(database, verdict, by, started);
        outside.listener().decided(decision);
        return store.record(decision, timing.now().plus(timing.config().decisionRetention()))
                .onFailure()
                .invoke(e -> LOG.errorf("Decision not recorded db=%s error=\"%s\"", database.id(), e.getMessage()))
                .onFailure()
                .recoverWithNull()
                .replaceWith(decision);
    }

    Decision decision(Database database, Verdict verdict, Optional<AppName> by, Instant started) {
        var took = Duration.between(started, timing.now());
        return new Decision(
                database.id(),
                database.type(),
                verdict.what(),
                verdict.reason(),
                verdict.evidence(),
                new Decision.By(by, started, took.isNegative() ? Duration.ZERO : took));
    }
}

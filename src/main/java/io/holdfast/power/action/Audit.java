package io.holdfast.power.action;

import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Verdict;
import io.holdfast.power.port.PowerListener;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/** Records decisions: notifies the listener, which logs and counts them, and stores each as a row. */
@Singleton
public class Audit {
    /** Maximum number of sharers in one row. */
    private static final int SHARERS_MAX = 200;

    /** Results that are recorded every time, because each is a change of the database. */
    private static final Set<Result> CHANGES =
            EnumSet.of(Result.STOPPED, Result.STOP_STUCK, Result.STARTED, Result.RUNNING);

    private static final Logger LOG = Logger.getLogger(Audit.class);

    private final PowerStore store;
    private final PowerListener listener;
    private final Timing timing;

    public Audit(PowerStore store, PowerListener listener, Timing timing) {
        this.store = store;
        this.listener = listener;
        this.timing = timing;
    }

    Timing timing() {
        return timing;
    }

    public PowerListener listener() {
        return listener;
    }

    /** Skips a decision with the result and reason of the last one. So a database that stays up for a week has one row. */
    public Uni<Optional<Decision>> writeIfChanged(
            Database database, Verdict verdict, Optional<AppName> by, Instant started) {
        var decision = decision(database, verdict, by, started);
        return isChanged(decision)
                .chain(changed -> changed
                        ? save(decision).map(Optional::of)
                        : Uni.createFrom().item(Optional.empty()));
    }

    /**
     * Compares with the last stored row, also of another replica, because clients read that row as the current reason.
     * If the row cannot be read, the decision counts as changed.
     */
    private Uni<Boolean> isChanged(Decision decision) {
        if (CHANGES.contains(decision.result())) {
            return Uni.createFrom().item(true);
        }
        return store.decisions(decision.database(), 1, Optional.empty())
                .map(page -> page.items().stream()
                        .findFirst()
                        .filter(last -> last.result() == decision.result()
                                && last.reason().equals(decision.reason()))
                        .isEmpty())
                .onFailure()
                .recoverWithItem(true);
    }

    /** Never fails: a row that cannot be stored is logged, and the decision stands. */
    public Uni<Decision> write(Database database, Verdict verdict, Optional<AppName> by, Instant started) {
        return save(decision(database, verdict, by, started));
    }

    private Uni<Decision> save(Decision decision) {
        listener.decided(decision);
        var until = timing.now().plus(timing.config().decisionRetention());
        return store.record(decision.withAtMost(SHARERS_MAX), until)
                .onFailure()
                .invoke(e ->
                        LOG.errorf("Decision not recorded db=%s error=\"%s\"", decision.database(), e.getMessage()))
                .onFailure()
                .recoverWithNull()
                .replaceWith(decision);
    }

    public Decision decision(Database database, Verdict verdict, Optional<AppName> by, Instant started) {
        var took = Duration.between(started, timing.now());
        return new Decision(
                database.id(),
                database.type(),
                verdict.result(),
                database.actuator() instanceof ActuatorSpec.Simulated
                        ? verdict.reason() + " (simulated: there is no real database)"
                        : verdict.reason(),
                verdict.evidence(),
                new Decision.By(by, started, took.isNegative() ? Duration.ZERO : took));
    }
}

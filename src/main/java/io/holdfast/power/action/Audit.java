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

/** Writes every decision down: for the answer, for the listener, and as a row that lasts. */
@Singleton
public class Audit {
    /** Sharers in one row; those that kept the database up come first. */
    private static final int SHARERS_MAX = 200;

    /** Written down every time: each says that something has changed. */
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

    /** The same again is no decision: a database that is kept up for a week is one row, not thousands. */
    public Uni<Optional<Decision>> writeIfNews(
            Database database, Verdict verdict, Optional<AppName> by, Instant started) {
        var decision = decision(database, verdict, by, started);
        return isNews(decision)
                .chain(news -> news
                        ? written(decision).map(Optional::of)
                        : Uni.createFrom().item(Optional.empty()));
    }

    /**
     * Whether this differs from the last decision in the store, whichever replica wrote that. The last row is what
     * clients are shown as the reason why the database is up.
     */
    private Uni<Boolean> isNews(Decision decision) {
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

    /** A row that cannot be written does not undo what was done; it is in the log all the same. */
    public Uni<Decision> write(Database database, Verdict verdict, Optional<AppName> by, Instant started) {
        return written(decision(database, verdict, by, started));
    }

    private Uni<Decision> written(Decision decision) {
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

package io.holdfast.telemetry.metrics;

import io.holdfast.power.model.Decision;
import io.holdfast.power.model.PendingCounts;
import io.holdfast.power.model.Phase;
import io.holdfast.power.port.PowerListener;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Counts and logs decisions about databases. */
@Singleton
public class PowerMetrics implements PowerListener {
    private static final Logger LOG = Logger.getLogger("io.holdfast.power");

    /** The most databases with a tag value of their own. All others share one, so the number of series is bounded. */
    private static final int DATABASES_MAX = 200;

    private static final String OTHERS = "other";

    private final MeterRegistry registry;
    private final Set<DatabaseId> tagged = ConcurrentHashMap.newKeySet();
    private final Map<Decision.Result, Counter> decisions = new EnumMap<>(Decision.Result.class);
    private final AtomicReference<Optional<PendingCounts>> last = new AtomicReference<>(Optional.empty());

    public PowerMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (var result : Decision.Result.values()) {
            decisions.put(
                    result,
                    Counter.builder("db.decisions")
                            .description("Decisions about databases")
                            .tag("decision", text(result))
                            .register(registry));
        }
        for (var phase : Phase.values()) {
            pending(text(phase), found -> found.byPhase().get(phase));
        }
        pending("unknown", PendingCounts::unread);
    }

    /** NaN before the first complete pass, and after a failed one: then the number is not known. */
    private void pending(String phase, ToDoubleFunction<PendingCounts> count) {
        Gauge.builder("db.pending", last, found -> found.get()
                        .map(count::applyAsDouble)
                        .orElse(Double.NaN))
                .description("Pending databases at the last pass of the reconciler")
                .tag("phase", phase)
                .register(registry);
    }

    @Override
    public void passed(PendingCounts pending) {
        last.set(Optional.of(pending));
    }

    @Override
    public void passFailed() {
        last.set(Optional.empty());
    }

    @Override
    public void decided(Decision decision) {
        decisions.get(decision.result()).increment();
        switch (decision.result()) {
            case SKIPPED_SHARED_ACTIVE, SKIPPED_UNKNOWN -> count("db.stop.skipped.shared.active", decision);
            case SKIPPED_LOCK -> count("db.stop.skipped.lock", decision);
            case STOPPED -> count("db.stop.stopped", decision);
            case STOP_STUCK -> countOnceFor(decision);
            case STOP_FAILED -> count("db.stop.failed", decision);
            default -> {}
        }
        log(decision);
    }

    @Override
    public void lockAsked(int retries) {
        DistributionSummary.builder("lock.acquire.retries").register(registry).record(retries);
    }

    /** A request for a database that is already stuck repeats the decision. Only the reconciler's first one counts. */
    private void countOnceFor(Decision stuck) {
        if (stuck.by().app().isEmpty()) {
            count("db.stop.stuck", stuck);
        }
    }

    private void count(String name, Decision decision) {
        Counter.builder(name)
                .description("Decisions about stopping a database, by result")
                .tag("db_identifier", tag(decision.database()))
                .register(registry)
                .increment();
    }

    private String tag(DatabaseId id) {
        var known = tagged.contains(id) || tagged.size() < DATABASES_MAX && tagged.add(id);
        return known ? id.value() : OTHERS;
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static void log(Decision decision) {
        var seen = decision.evidence().sharers().stream()
                .map(one -> one.app() + ":" + one.status())
                .collect(Collectors.joining(","));
        var by = decision.by().app().map(AppName::value).orElse("reconciler");
        var line =
                "Database decision db=%s type=%s decision=%s app=%s sharers=%s epoch=%d duration_ms=%d reason=\"%s\"";
        var level =
                switch (decision.result()) {
                    case STOP_STUCK, STOP_FAILED, START_FAILED -> Logger.Level.WARN;
                    default -> Logger.Level.INFO;
                };
        LOG.logf(
                level,
                line,
                decision.database(),
                decision.type(),
                decision.result(),
                by,
                seen,
                decision.evidence().epoch(),
                decision.by().took().toMillis(),
                decision.reason());
    }
}

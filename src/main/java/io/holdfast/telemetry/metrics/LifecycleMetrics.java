package io.holdfast.telemetry.metrics;

import static io.holdfast.telemetry.metrics.JobMetrics.text;

import io.holdfast.kernel.Durations;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The meters of services. Passes each step on to the next listener. The id of a service is never a tag. */
public final class LifecycleMetrics implements LifecycleListener {
    private static final String REMOVED = "removed";
    private static final String HELD = "held";
    private static final String LOST = "lost";
    private static final List<String> OUTCOMES =
            List.of("illegal-transition", "stale-epoch", "version-conflict", "not-found");

    private final LifecycleListener next;
    private final ServiceCountMetrics counts;
    private final Timer lockWait;
    private final DistributionSummary lockRetries;
    private final Counter lockExtensions;
    private final Map<Writer, Map<String, Counter>> lockFailures;
    private final Map<Writer, Map<String, Counter>> moves;
    private final Map<Writer, Map<String, Counter>> refusals;
    private final Map<ServiceStatus, Map<ServiceStatus, Counter>> repairs;
    private final Map<NoRepair, Counter> skipped;
    private final Map<NoCount, Counter> incomplete;
    private final Counter done;

    public LifecycleMetrics(MeterRegistry registry, LifecycleListener next) {
        this.next = next;
        counts = new ServiceCountMetrics(registry);
        lockWait = Timer.builder("service.lock.wait")
                .description("Time until a writer got the lock of a service, or was refused it")
                .publishPercentiles(0.5, 0.99)
                .register(registry);
        lockRetries = DistributionSummary.builder("service.lock.retries")
                .description("Retries per request for the lock of a service")
                .register(registry);
        lockExtensions = Counter.builder("service.lock.extensions")
                .description("Extensions of a service's lock, because a write was not done in time")
                .register(registry);
        lockFailures = each(
                Writer.class,
                writer -> counters(
                        registry,
                        "service.lock.failures",
                        "Writes of a status that were skipped for want of the service's lock",
                        Tags.of("writer", writer.text()),
                        "reason",
                        Stream.of(HELD, LOST)));
        moves = each(
                Writer.class,
                writer -> counters(
                        registry,
                        "service.moves",
                        "Moves of services, by the new status and the writer",
                        Tags.of("by", writer.text()),
                        "to",
                        Stream.concat(statuses(), Stream.of(REMOVED))));
        refusals = each(
                Writer.class,
                writer -> counters(
                        registry,
                        "service.writes.refused",
                        "Writes of a status that were refused",
                        Tags.of("writer", writer.text()),
                        "outcome",
                        OUTCOMES.stream()));
        repairs = each(
                ServiceStatus.class,
                from -> each(ServiceStatus.class, to -> Counter.builder("service.repairs")
                        .description("Statuses that the reconciler has repaired")
                        .tag("from", text(from))
                        .tag("to", text(to))
                        .register(registry)));
        skipped = each(NoRepair.class, reason -> Counter.builder("service.repairs.skipped")
                .description("Repairs that the reconciler did not make")
                .tag("reason", text(reason))
                .register(registry));
        incomplete = each(NoCount.class, reason -> passes(registry, text(reason)));
        done = passes(registry, "done");
    }

    private static Counter passes(MeterRegistry registry, String result) {
        return Counter.builder("service.reconciliations")
                .description("Passes of the reconciler of services at this replica, by their result")
                .tag("result", result)
                .register(registry);
    }

    private static Stream<String> statuses() {
        return Arrays.stream(ServiceStatus.values()).map(JobMetrics::text);
    }

    private static Map<String, Counter> counters(
            MeterRegistry registry, String name, String description, Tags tags, String key, Stream<String> values) {
        return values.collect(Collectors.toUnmodifiableMap(Function.identity(), value -> Counter.builder(name)
                .description(description)
                .tags(tags)
                .tag(key, value)
                .register(registry)));
    }

    private static <K extends Enum<K>, V> Map<K, V> each(Class<K> type, Function<K, V> value) {
        var map = new EnumMap<K, V>(type);
        for (var key : type.getEnumConstants()) {
            map.put(key, value.apply(key));
        }
        return map;
    }

    @Override
    public void moved(Move move) {
        var by = move.cause().by();
        moves.get(by).get(move.to().map(JobMetrics::text).orElse(REMOVED)).increment();
        if (by == Writer.RECONCILER) {
            move.from().ifPresent(from -> move.to()
                    .ifPresent(to -> repairs.get(from).get(to).increment()));
        }
        next.moved(move);
    }

    @Override
    public void refused(ServiceId service, Writer by, WriteOutcome outcome) {
        code(outcome).ifPresent(code -> refusals.get(by).get(code).increment());
        next.refused(service, by, outcome);
    }

    /** As in the answers over HTTP. Empty for what is not a refusal of the rules. */
    private static Optional<String> code(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Illegal illegal -> Optional.of("illegal-transition");
            case WriteOutcome.StaleEpoch stale -> Optional.of("stale-epoch");
            case WriteOutcome.VersionConflict conflict -> Optional.of("version-conflict");
            case WriteOutcome.NoSuchService none -> Optional.of("not-found");
            case WriteOutcome.Written written -> Optional.empty();
            case WriteOutcome.WrittenBefore before -> Optional.empty();
            case WriteOutcome.NotLocked notLocked -> Optional.empty();
        };
    }

    @Override
    public void lockAcquired(ServiceId service, int tries, Duration waited) {
        asked(tries, waited);
        next.lockAcquired(service, tries, waited);
    }

    private void asked(int tries, Duration waited) {
        lockWait.record(Durations.max(waited, Duration.ZERO));
        lockRetries.record(tries - 1);
    }

    @Override
    public void lockExtended(ServiceId service, Duration ttl) {
        lockExtensions.increment();
        next.lockExtended(service, ttl);
    }

    @Override
    public void lockReleased(ServiceId service, Duration held) {
        next.lockReleased(service, held);
    }

    @Override
    public void lockNotAcquired(ServiceId service, Writer by, int tries, Duration waited) {
        asked(tries, waited);
        lockFailures.get(by).get(HELD).increment();
        next.lockNotAcquired(service, by, tries, waited);
    }

    @Override
    public void lockLost(ServiceId service, Writer by) {
        lockFailures.get(by).get(LOST).increment();
        next.lockLost(service, by);
    }

    @Override
    public void notRepaired(ServiceId service, Observation seen, NoRepair reason) {
        skipped.get(reason).increment();
        next.notRepaired(service, seen, reason);
    }

    @Override
    public void passed(Counts counted) {
        done.increment();
        counts.counted(counted);
        next.passed(counted);
    }

    @Override
    public void notCounted(NoCount reason) {
        incomplete.get(reason).increment();
        counts.notCounted();
        next.notCounted(reason);
    }
}

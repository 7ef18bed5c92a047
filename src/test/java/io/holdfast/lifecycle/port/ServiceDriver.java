package io.holdfast.lifecycle.port;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Cursor;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.registry.ProbePolicy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Decides with the rules and writes to a store, in one step, for tests of stores. */
public record ServiceDriver(LifecycleStore store) {
    public static final Duration DEADLINE = Duration.ofMinutes(10);
    public static final Duration KEPT = Duration.ofDays(7);
    public static final LifecycleRules RULES = new LifecycleRules(DEADLINE);
    public static final ServiceSpec SPEC = new ServiceSpec(new ObserveSpec.None(), Optional.empty());
    public static final ServiceSpec OTHER_SPEC = new ServiceSpec(
            new ObserveSpec.Url(URI.create("https://example.com/health"), ProbePolicy.HTTP_200),
            Optional.of(Duration.ofMinutes(3)));

    public static ServiceId anId() {
        return new ServiceId("service-" + UUID.randomUUID());
    }

    /** Identifiers of one part of the feed. */
    public static Stream<ServiceId> idsOf(int shard) {
        return Stream.generate(ServiceDriver::anId).filter(id -> LifecycleStore.shardOf(id) == shard);
    }

    public static ServiceId anIdOf(int shard) {
        return idsOf(shard).findFirst().orElseThrow();
    }

    public static StatusChange registering(ServiceId id, Instant now) {
        return RULES.register(id, SPEC, 0, now);
    }

    public static StatusWrite.Deploy deploy() {
        return new StatusWrite.Deploy(
                DeploymentId.random(), Optional.of("new release"), Optional.empty(), Optional.empty());
    }

    public static StatusWrite.Report report(Service service, ServiceStatus status) {
        var deployment = service.deployment().orElseThrow();
        return new StatusWrite.Report(deployment.id(), deployment.epoch(), status, false, Optional.empty());
    }

    public static StatusWrite.Set set(ServiceStatus status) {
        return new StatusWrite.Set(status, Optional.of("by hand"), Optional.empty());
    }

    public static StatusWrite.Repair repair(ServiceStatus status) {
        return new StatusWrite.Repair(status, new Observation(Observation.State.ABSENT, "no pods"));
    }

    public static StatusChange deciding(Service seen, StatusWrite write, Instant now) {
        return RULES.decide(seen, write, now).change().orElseThrow();
    }

    public boolean commit(StatusChange change) {
        return await(store.commit(change, change.move().at().plus(KEPT)));
    }

    public Service register(ServiceId id, Instant now) {
        return made(registering(id, now));
    }

    public Service write(Service seen, StatusWrite write, Instant now) {
        return made(deciding(seen, write, now));
    }

    private Service made(StatusChange change) {
        assertThat(commit(change)).isTrue();
        return change.after().orElseThrow();
    }

    public void remove(Service seen, Instant now) {
        assertThat(commit(deciding(seen, new StatusWrite.Remove(), now))).isTrue();
    }

    public Optional<Service> find(ServiceId id) {
        return await(store.find(id));
    }

    /** Newest first. */
    public List<Move> history(ServiceId id) {
        return history(id, 100);
    }

    public List<Move> history(ServiceId id, int limit) {
        var all = new ArrayList<Move>();
        Optional<Cursor> next = Optional.empty();
        do {
            var page = await(store.history(id, limit, next));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page.items());
            next = page.next();
        } while (next.isPresent());
        return all;
    }

    public List<FeedEntry> feed(int shard) {
        return await(store.feed(shard, 0, 10_000));
    }

    /** All that a commit can change of one service. */
    record State(Optional<Service> service, List<Move> history, List<FeedEntry> feed, FeedPosition end) {}

    State state(ServiceId id) {
        return new State(find(id), history(id), feed(LifecycleStore.shardOf(id)), await(store.feedEnd()));
    }
}

package io.holdfast.telemetry.tracing;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.opentelemetry.api.common.Attributes;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Adds a span to every call of a power store. Changes no answer. */
public final class TracedPowerStore implements PowerStore {
    private final PowerStore store;
    private final Spans spans;

    public TracedPowerStore(PowerStore store, Spans spans) {
        this.store = store;
        this.spans = spans;
    }

    @Override
    public Uni<Optional<DatabaseSnapshot>> snapshot(DatabaseId id) {
        return spans.around("power snapshot", SpanAttributes.of(id), () -> store.snapshot(id), SpanAttributes::found);
    }

    @Override
    public Uni<Boolean> requestStop(DatabaseId id, AppName app, Instant now) {
        return spans.around(
                "power request stop",
                SpanAttributes.of(id, app),
                () -> store.requestStop(id, app, now),
                SpanAttributes::done);
    }

    @Override
    public Uni<Boolean> claimStart(DatabaseId id, AppName app, Instant until, Instant now) {
        return spans.around(
                "power claim start",
                SpanAttributes.of(id, app),
                () -> store.claimStart(id, app, until, now),
                SpanAttributes::done);
    }

    @Override
    public Uni<Boolean> extendClaim(DatabaseSnapshot seen, AppName app, Instant until) {
        return spans.around(
                "power extend claim",
                SpanAttributes.of(seen.id(), app),
                () -> store.extendClaim(seen, app, until),
                SpanAttributes::done);
    }

    @Override
    public Uni<Void> forget(DatabaseSnapshot seen, Set<AppName> apps) {
        return spans.around("power forget", SpanAttributes.of(seen.id()), () -> store.forget(seen, apps));
    }

    @Override
    public Uni<Boolean> commit(DatabaseSnapshot seen, Phase phase, Instant now) {
        return spans.around(
                "power commit",
                SpanAttributes.of(seen.id()),
                () -> store.commit(seen, phase, now),
                SpanAttributes::done);
    }

    @Override
    public Uni<Boolean> settle(DatabaseId id, long epoch, Phase phase, Instant since) {
        return spans.around(
                "power settle",
                SpanAttributes.of(id, epoch),
                () -> store.settle(id, epoch, phase, since),
                SpanAttributes::done);
    }

    @Override
    public Uni<Page<DatabaseId>> pending(int limit, Optional<Cursor> after, Instant now) {
        return spans.around("power pending", Attributes.empty(), () -> store.pending(limit, after, now));
    }

    @Override
    public Uni<Void> tidy(DatabaseId id, Instant now) {
        return spans.around("power tidy", SpanAttributes.of(id), () -> store.tidy(id, now));
    }

    @Override
    public Uni<Void> record(Decision decision, Instant until) {
        return spans.around("power record", SpanAttributes.of(decision), () -> store.record(decision, until));
    }

    @Override
    public Uni<Page<Decision>> decisions(DatabaseId id, int limit, Optional<Cursor> after) {
        return spans.around("power decisions", SpanAttributes.of(id), () -> store.decisions(id, limit, after));
    }

    @Override
    public Uni<Brake> brake() {
        return spans.around("power brake", Attributes.empty(), store::brake);
    }

    @Override
    public Uni<Void> pause(Optional<String> reason) {
        return spans.around("power pause", Attributes.empty(), () -> store.pause(reason));
    }

    @Override
    public Uni<Brake.Permit> permitStop(int max, Instant now) {
        return spans.around(
                "power permit stop", Attributes.empty(), () -> store.permitStop(max, now), SpanAttributes::outcome);
    }

    @Override
    public Uni<Void> returnPermit(Brake.Permit.Granted permit) {
        return spans.around("power return permit", Attributes.empty(), () -> store.returnPermit(permit));
    }
}

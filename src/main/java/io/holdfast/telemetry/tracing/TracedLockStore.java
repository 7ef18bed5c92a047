package io.holdfast.telemetry.tracing;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import io.holdfast.lock.port.WithdrawOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Adds a span to every call of a lock store, and lock and owner to the span of the request. Changes no answer. */
public final class TracedLockStore implements LockStore {
    private final LockStore store;
    private final Spans spans;

    public TracedLockStore(LockStore store, Spans spans) {
        this.store = store;
        this.spans = spans;
    }

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        var attributes = isFromClient(request) ? marked(request.ref()) : SpanAttributes.of(request.ref());
        return spans.around("lock acquire", attributes, () -> store.acquire(request, now), SpanAttributes::of);
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now) {
        return spans.around(
                "lock withdraw",
                SpanAttributes.of(request),
                () -> store.withdraw(request, attempt, now),
                SpanAttributes::outcome);
    }

    @Override
    public Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return store.confirmTickets(name, presence);
    }

    @Override
    public Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone) {
        return store.evict(name, gone);
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now) {
        return spans.around(
                "lock renew", marked(claim.ref()), () -> store.renew(claim, renewal, now), SpanAttributes::of);
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now) {
        return spans.around("lock release", marked(claim.ref()), () -> store.release(claim, now), SpanAttributes::of);
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return spans.around(
                "lock force release", marked(force.name()), () -> store.forceRelease(force, now), SpanAttributes::of);
    }

    /** No span without a request: timers poll for waiters, and a trace of each poll would hide the other traces. */
    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        if (!Span.current().getSpanContext().isValid()) {
            return store.find(name);
        }
        return spans.around("lock find", marked(name), () -> store.find(name), SpanAttributes::found);
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return spans.around("lock list", Attributes.empty(), () -> store.list(query, now));
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        return spans.around("lock sweep", Attributes.empty(), () -> store.sweep(from, bounds, now));
    }

    /** False for later attempts for a waiter. They may run in another request, such as the release. */
    private static boolean isFromClient(AcquireRequest request) {
        return request.queueEntry().map(AcquireRequest.QueueEntry::arriving).orElse(true);
    }

    /** Adds lock and owner to the span of the request, whose path is a template. Then it can be found by lock. */
    private static Attributes marked(LeaseRef ref) {
        Span.current()
                .setAttribute(SpanAttributes.LOCK, ref.name().value())
                .setAttribute(SpanAttributes.OWNER, ref.owner().value());
        return SpanAttributes.of(ref);
    }

    private static Attributes marked(LockName name) {
        Span.current().setAttribute(SpanAttributes.LOCK, name.value());
        return SpanAttributes.of(name);
    }
}

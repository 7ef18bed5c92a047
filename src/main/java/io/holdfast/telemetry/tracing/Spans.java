package io.holdfast.telemetry.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Spans around asynchronous work. A span starts with the subscription and ends once, with the item, the failure or the
 * cancellation. Safe for concurrent use.
 */
public final class Spans {
    private final Tracer tracer;

    public Spans(Tracer tracer) {
        this.tracer = tracer;
    }

    public <T> Uni<T> around(String name, Attributes attributes, Supplier<Uni<T>> work) {
        return around(name, attributes, work, answer -> Attributes.empty());
    }

    /** @param outcome the attributes that the item adds to the span */
    <T> Uni<T> around(String name, Attributes attributes, Supplier<Uni<T>> work, Function<T, Attributes> outcome) {
        // The caller's context. The context at subscription may belong to another request on the same thread.
        var parent = Context.current();
        return Uni.createFrom().emitter(caller -> {
            var span = tracer.spanBuilder(name)
                    .setParent(parent)
                    .setAllAttributes(attributes)
                    .startSpan();
            var step = new Step<T>(span, parent, caller, outcome);
            caller.onTermination(step::cancel);
            // The span is current only during the subscription. Later work on this thread is not part of it.
            run(
                    within(span, parent),
                    () -> Uni.createFrom().<T>deferred(work::get).subscribe().withSubscriber(step));
        });
    }

    /** The children of a span that is not recorded belong to its parent, which is not recorded either. */
    private static Context within(Span span, Context parent) {
        return span.isRecording() ? parent.with(span) : parent;
    }

    /**
     * Vert.x keeps the current span only in duplicated contexts, which belong to one request. An answer that comes in
     * another context gets a new duplicated one.
     */
    private static void run(Context context, Runnable work) {
        var vertx = Vertx.currentContext();
        if (vertx == null || VertxContext.isDuplicatedContext(vertx)) {
            context.wrap(work).run();
        } else {
            ((ContextInternal) VertxContext.createNewDuplicatedContext(vertx))
                    .dispatch(() -> context.wrap(work).run());
        }
    }

    private static final class Step<T> implements UniSubscriber<T> {
        private static final UniSubscription CANCELLED = () -> {};

        private final Span span;
        private final Context parent;
        private final UniEmitter<? super T> caller;
        private final Function<T, Attributes> outcome;
        private final AtomicReference<UniSubscription> work = new AtomicReference<>();
        private final AtomicBoolean ended = new AtomicBoolean();

        Step(Span span, Context parent, UniEmitter<? super T> caller, Function<T, Attributes> outcome) {
            this.span = span;
            this.parent = parent;
            this.caller = caller;
            this.outcome = outcome;
        }

        @Override
        public void onSubscribe(UniSubscription subscription) {
            if (!work.compareAndSet(null, subscription)) {
                subscription.cancel();
            }
        }

        @Override
        public void onItem(T item) {
            if (ended.compareAndSet(false, true)) {
                try {
                    span.setAllAttributes(outcome.apply(item)).end();
                } finally {
                    // The caller continues in its own context, on the thread of the answer.
                    run(parent, () -> caller.complete(item));
                }
            }
        }

        @Override
        public void onFailure(Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                span.recordException(failure).setStatus(StatusCode.ERROR).end();
                run(parent, () -> caller.fail(failure));
            }
        }

        void cancel() {
            if (ended.compareAndSet(false, true)) {
                span.setAttribute(SpanAttributes.OUTCOME, SpanAttributes.CANCELLED)
                        .end();
                var subscription = work.getAndSet(CANCELLED);
                if (subscription != null) {
                    subscription.cancel();
                }
            }
        }
    }
}

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
 * Spans around work that is not done when the method returns. Each begins with a subscription and ends once, with the
 * item, the failure or the cancellation. Safe for concurrent use.
 */
public final class Spans {
    private final Tracer tracer;

    public Spans(Tracer tracer) {
        this.tracer = tracer;
    }

    public <T> Uni<T> around(String name, Attributes attributes, Supplier<Uni<T>> work) {
        return around(name, attributes, work, answer -> Attributes.empty());
    }

    /** @param told what an answer adds to the span */
    <T> Uni<T> around(String name, Attributes attributes, Supplier<Uni<T>> work, Function<T, Attributes> told) {
        // The caller's, and not what is current where it is subscribed: that may be a thread which others have used.
        var parent = Context.current();
        return Uni.createFrom().emitter(caller -> {
            var span = tracer.spanBuilder(name)
                    .setParent(parent)
                    .setAllAttributes(attributes)
                    .startSpan();
            var step = new Step<T>(span, parent, caller, told);
            caller.onTermination(step::cancel);
            // Current only until everything is under way, or whoever comes next would be taken for a part of it.
            run(
                    within(span, parent),
                    () -> Uni.createFrom().<T>deferred(work::get).subscribe().withSubscriber(step));
        });
    }

    /** A span that is not recorded has nothing to nest; its parts belong to the parent, which is not recorded either. */
    private static Context within(Span span, Context parent) {
        return span.isRecording() ? parent.with(span) : parent;
    }

    /**
     * Vert.x keeps what is current, but only in contexts that belong to one request. Answers of its clients may come in
     * one that does not, and then get one of their own.
     */
    private static void run(Context context, Runnable work) {
        var place = Vertx.currentContext();
        if (place == null || VertxContext.isDuplicatedContext(place)) {
            context.wrap(work).run();
        } else {
            ((ContextInternal) VertxContext.createNewDuplicatedContext(place))
                    .dispatch(() -> context.wrap(work).run());
        }
    }

    /** One subscription. */
    private static final class Step<T> implements UniSubscriber<T> {
        private static final UniSubscription CANCELLED = () -> {};

        private final Span span;
        private final Context parent;
        private final UniEmitter<? super T> caller;
        private final Function<T, Attributes> told;
        private final AtomicReference<UniSubscription> work = new AtomicReference<>();
        private final AtomicBoolean ended = new AtomicBoolean();

        Step(Span span, Context parent, UniEmitter<? super T> caller, Function<T, Attributes> told) {
            this.span = span;
            this.parent = parent;
            this.caller = caller;
            this.told = told;
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
                    span.setAllAttributes(told.apply(item)).end();
                } finally {
                    // What follows is the caller's again, on whatever thread the answer has come.
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

package io.holdfast.telemetry.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpansTest {
    private static final Vertx VERTX = Vertx.vertx();

    private final InMemorySpanExporter kept = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(kept))
            .build();
    private final Tracer tracer = provider.get("test");
    private final Spans spans = new Spans(tracer);
    private final Span request = tracer.spanBuilder("request").startSpan();

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void aStepIsTheCallersChildAndEndsWithItsItem() {
        var answer =
                asRequest(() -> step("step", Uni.createFrom().item(7)).await().indefinitely());

        assertThat(answer).isEqualTo(7);
        assertThat(span("step").getParentSpanId()).isEqualTo(idOf(request));
        assertThat(span("step").hasEnded()).isTrue();
        assertThat(span("step").getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void nothingBeginsBeforeSubscription() {
        var begun = new AtomicInteger();

        asRequest(() ->
                spans.around("step", Attributes.empty(), () -> Uni.createFrom().item(begun.incrementAndGet())));

        assertThat(begun).hasValue(0);
        assertThat(kept.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void whatAStepIsMadeOfIsNestedInIt() {
        asRequest(() -> spans.around("outer", Attributes.empty(), () -> step("inner", later(1)))
                .await()
                .indefinitely());

        assertThat(span("inner").getParentSpanId()).isEqualTo(span("outer").getSpanId());
    }

    @Test
    void oneAfterTheOtherAreSiblingsAlsoWhenAnswersComeOnOtherThreads() {
        asRequest(() -> step("first", later(1))
                .chain(one -> step("second", later(one + 1)))
                .chain(two -> step("third", later(two + 1)))
                .await()
                .indefinitely());

        assertThat(List.of(span("first"), span("second"), span("third")))
                .extracting(SpanData::getParentSpanId)
                .containsOnly(idOf(request));
    }

    @Test
    void inParallelAreSiblings() {
        var waiting = new ArrayList<UniEmitter<? super Integer>>();
        Uni<Integer> unanswered = Uni.createFrom().emitter(waiting::add);
        var all = new CompletableFuture<List<Integer>>();

        asRequest(() -> Uni.join()
                .all(step("a", unanswered), step("b", unanswered), step("c", unanswered))
                .andFailFast()
                .subscribe()
                .with(all::complete, all::completeExceptionally));
        waiting.reversed().forEach(one -> one.complete(1));

        assertThat(all).isCompletedWithValue(List.of(1, 1, 1));
        assertThat(List.of(span("a"), span("b"), span("c")))
                .extracting(SpanData::getParentSpanId)
                .containsOnly(idOf(request));
    }

    @Test
    void aStepUnderWayIsNotCurrentForWhoeverComesNext() {
        var seen = asRequest(() -> {
            step("step", Uni.createFrom().<Integer>nothing()).subscribe().with(item -> {});
            return Span.current();
        });

        assertThat(seen).isSameAs(request);
    }

    @Test
    void whatFollowsAnAnswerFromAnotherThreadIsTheCallers() {
        var seen = asRequest(
                () -> step("step", later(1)).map(one -> Span.current()).await().indefinitely());

        assertThat(seen).isSameAs(request);
    }

    /** As answers of Vert.x' clients do when they were not asked in the context of a request. */
    @Test
    void whatFollowsAnAnswerOnABareEventLoopIsTheCallers() {
        Uni<Integer> bare =
                Uni.createFrom().emitter(caller -> VERTX.getOrCreateContext().runOnContext(go -> caller.complete(1)));

        asRequest(() -> step("first", bare)
                .chain(() -> spans.around("second", Attributes.empty(), () -> step("inner", later(1))))
                .chain(() -> step("third", bare))
                .await()
                .indefinitely());

        assertThat(List.of(span("first"), span("second"), span("third")))
                .extracting(SpanData::getParentSpanId)
                .containsOnly(idOf(request));
        assertThat(span("inner").getParentSpanId()).isEqualTo(span("second").getSpanId());
    }

    /** Threads are shared, and somebody may have left its own behind on the one that subscribes. */
    @Test
    void aStepBelongsToItsCallerAndNotToTheThreadThatSubscribes() {
        var other = tracer.spanBuilder("other").startSpan();
        var asked = asRequest(() -> step("step", Uni.createFrom().item(1)));

        as(other, () -> asked.await().indefinitely());

        assertThat(span("step").getParentSpanId()).isEqualTo(idOf(request));
    }

    @Test
    void aFailureIsRecordedAndIsTheAnswer() {
        var broken = new IllegalStateException("no disk");

        assertThatThrownBy(() -> asRequest(() -> step("step", Uni.createFrom().<Integer>failure(broken))
                        .await()
                        .indefinitely()))
                .isSameAs(broken);

        assertThat(span("step").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span("step").getEvents()).extracting(EventData::getName).containsExactly("exception");
    }

    @Test
    void workThatThrowsHasFailed() {
        var broken = new IllegalStateException("not even begun");

        assertThatThrownBy(() -> asRequest(() -> spans.<Integer>around("step", Attributes.empty(), () -> {
                            throw broken;
                        })
                        .await()
                        .indefinitely()))
                .isSameAs(broken);

        assertThat(span("step").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    }

    @Test
    void aCancelledStepEndsOnceAndCancelsItsWork() {
        var cancelled = new AtomicInteger();
        var work = new CompletableFuture<UniEmitter<? super Integer>>();
        Uni<Integer> unanswered = Uni.createFrom()
                .<Integer>emitter(work::complete)
                .onCancellation()
                .invoke(cancelled::incrementAndGet);
        var step = asRequest(() -> step("step", unanswered).subscribe().with(item -> {}));

        step.cancel();
        step.cancel();
        work.join().complete(1);

        assertThat(cancelled).hasValue(1);
        assertThat(kept.getFinishedSpanItems()).hasSize(1);
        assertThat(span("step").getAttributes().get(SpanAttributes.OUTCOME)).isEqualTo("Cancelled");
    }

    @Test
    void onTheContextOfARequestNothingIsLeftBehindEither() {
        var seen = new CompletableFuture<Span>();
        onContextOf(request, () -> {
            var both = Uni.join().all(step("a", later(1)), step("b", later(2))).andFailFast();
            return both.chain(() -> step("c", later(3))).invoke(() -> seen.complete(Span.current()));
        });

        assertThat(seen.join()).isSameAs(request);
        assertThat(List.of(span("a"), span("b"), span("c")))
                .extracting(SpanData::getParentSpanId)
                .containsOnly(idOf(request));
    }

    @Test
    void aRequestThatIsNotSampledStaysSoThroughout() {
        try (var silent = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(kept))
                .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                .build()) {
            var on = new Spans(silent.get("test"));
            var unsampled = Span.wrap(SpanContext.create(
                    idOf(request) + idOf(request), idOf(request), TraceFlags.getDefault(), TraceState.getDefault()));
            Supplier<Uni<Integer>> step = () -> on.around("step", Attributes.empty(), () -> later(1));

            onContextOf(unsampled, () -> {
                step.get().subscribe().with(item -> {});
                return step.get().chain(step::get);
            });
        }

        assertThat(kept.getFinishedSpanItems()).isEmpty();
    }

    private <T> Uni<T> step(String name, Uni<T> work) {
        return spans.around(name, Attributes.empty(), () -> work);
    }

    /** Answers on a thread of its own. */
    private static Uni<Integer> later(int item) {
        return Uni.createFrom().emitter(caller -> Thread.ofPlatform().start(() -> caller.complete(item)));
    }

    private <T> T asRequest(Supplier<T> work) {
        return as(request, work);
    }

    private static <T> T as(Span span, Supplier<T> work) {
        return Context.root().with(span).wrapSupplier(work).get();
    }

    /** On an event loop, in a context of its own, as a request is. */
    private static void onContextOf(Span span, Supplier<Uni<?>> work) {
        var done = new CompletableFuture<Void>();
        var context = VertxContext.createNewDuplicatedContext(VERTX.getOrCreateContext());
        context.runOnContext(ignored -> {
            Context.root().with(span).makeCurrent();
            work.get().subscribe().with(item -> done.complete(null), done::completeExceptionally);
        });
        done.join();
    }

    private SpanData span(String name) {
        return kept.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .reduce((one, other) -> {
                    throw new AssertionError("more than one " + name);
                })
                .orElseThrow(() -> new AssertionError("no " + name));
    }

    private static String idOf(Span span) {
        return span.getSpanContext().getSpanId();
    }
}

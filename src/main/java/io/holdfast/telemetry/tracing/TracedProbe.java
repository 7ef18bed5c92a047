package io.holdfast.telemetry.tracing;

import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;

/** Adds a span to every probe of an app, which includes its confirmations. Changes no answer. */
public final class TracedProbe implements AppProbe, QuickProbe {
    private final AppProbe probe;
    private final QuickProbe once;
    private final Spans spans;

    /** @param once the probe without confirmations */
    public TracedProbe(AppProbe probe, QuickProbe once, Spans spans) {
        this.probe = probe;
        this.once = once;
        this.spans = spans;
    }

    @Override
    public Uni<Result> probe(Sharer app) {
        return spans.around("probe", SpanAttributes.of(app.app()), () -> probe.probe(app), SpanAttributes::seen);
    }

    @Override
    public Uni<Result> probeOnce(Sharer app) {
        return spans.around(
                "probe once", SpanAttributes.of(app.app()), () -> once.probeOnce(app), SpanAttributes::seen);
    }
}

package io.holdfast.telemetry.tracing;

import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;

/** Probes with a span for every app that is looked at, confirmations and all. Changes no answer. */
public final class TracedProbe implements AppProbe, QuickProbe {
    private final AppProbe probe;
    private final QuickProbe look;
    private final Spans spans;

    /** @param look what is asked when one look is enough */
    public TracedProbe(AppProbe probe, QuickProbe look, Spans spans) {
        this.probe = probe;
        this.look = look;
        this.spans = spans;
    }

    @Override
    public Uni<Result> probe(Sharer app) {
        return spans.around("probe", SpanAttributes.of(app.app()), () -> probe.probe(app), SpanAttributes::seen);
    }

    @Override
    public Uni<Result> probeOnce(Sharer app) {
        return spans.around(
                "probe once", SpanAttributes.of(app.app()), () -> look.probeOnce(app), SpanAttributes::seen);
    }
}

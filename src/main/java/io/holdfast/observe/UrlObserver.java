package io.holdfast.observe;

import io.holdfast.kernel.Settings;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Observation.State;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.registry.AppName;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Optional;

/** Probes the URL of a service once, from this replica. A service that changes between UP and DOWN is CRASHING. */
final class UrlObserver {
    private final QuickProbe probe;
    private final ObserveConfig config;
    private final Memories<Changes> memories;

    UrlObserver(QuickProbe probe, ObserveConfig config) {
        this.probe = probe;
        this.config = config;
        this.memories = new Memories<>(config.rememberedMax(), () -> new Changes(config.crashWindow()));
    }

    Uni<Observation> look(ServiceId service, ObserveSpec.Url spec, Instant now) {
        var once = new ProbeSpec(spec.policy(), Optional.of(spec.url()), Optional.empty(), 1);
        return probe.probeOnce(new Sharer(new AppName(service.value()), once)).map(result -> switch (result.status()) {
            case UP -> judged(State.RUNNING, result, memories.of(service, spec).look(true, now));
            case DOWN ->
                judged(State.STOPPED, result, memories.of(service, spec).look(false, now));
            // Not remembered: a lost answer is neither a start nor a stop.
            case UNKNOWN -> Observation.unknown(result.detail());
        });
    }

    private Observation judged(State state, Result result, int changes) {
        return changes < config.flapChanges()
                ? new Observation(state, result.detail())
                : new Observation(
                        State.CRASHING,
                        "changed between UP and DOWN " + changes + " times within "
                                + Settings.text(config.crashWindow()) + ", now: " + result.detail());
    }
}

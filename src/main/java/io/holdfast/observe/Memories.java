package io.holdfast.observe;

import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.ServiceId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What is remembered of each service. Beyond the maximum, forgets the service that was asked for least recently. */
final class Memories<M> {
    private static final float LOAD_FACTOR = 0.75f;

    private final int max;
    private final Supplier<M> fresh;
    private final Map<ServiceId, Memory<M>> byUse = new LinkedHashMap<>(16, LOAD_FACTOR, true);

    /** @param spec what the memory is about */
    private record Memory<M>(ObserveSpec spec, M content) {}

    Memories(int max, Supplier<M> fresh) {
        this.max = max;
        this.fresh = fresh;
    }

    /** A fresh memory if there is none, or if it is about another URL or workload. */
    synchronized M of(ServiceId service, ObserveSpec spec) {
        var memory = byUse.get(service);
        if (memory == null || !memory.spec().equals(spec)) {
            memory = new Memory<>(spec, fresh.get());
            byUse.put(service, memory);
            forgetBeyondMax();
        }
        return memory.content();
    }

    private void forgetBeyondMax() {
        var leastRecent = byUse.keySet().iterator();
        for (var excess = byUse.size() - max; excess > 0; excess--) {
            leastRecent.next();
            leastRecent.remove();
        }
    }

    synchronized int size() {
        return byUse.size();
    }
}

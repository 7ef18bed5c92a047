package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.smallrye.mutiny.Uni;
import java.time.Instant;

/**
 * Looks at what really runs of a service. Never fails: what cannot be seen is UNKNOWN, with the cause.
 *
 * <p>Remembers earlier looks for a while, because flapping shows only over time. So one component should look at a
 * service, at regular intervals.
 */
public interface ServiceObserver {
    Uni<Observation> observe(Service service, Instant now);
}

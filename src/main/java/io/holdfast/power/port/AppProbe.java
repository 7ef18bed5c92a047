package io.holdfast.power.port;

import io.holdfast.power.model.AppStatus;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Probes whether an app is up. Never fails: without a clear result the status is {@link AppStatus#UNKNOWN}. */
public interface AppProbe {
    Uni<Result> probe(Sharer app);

    /** @param detail for people */
    record Result(AppStatus status, Optional<Integer> httpCode, String detail) {
        public static Result unknown(String detail) {
            return new Result(AppStatus.UNKNOWN, Optional.empty(), detail);
        }
    }
}

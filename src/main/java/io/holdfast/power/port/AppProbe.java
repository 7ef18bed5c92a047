package io.holdfast.power.port;

import io.holdfast.power.model.AppStatus;
import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Tells whether an app is up. Never fails: what cannot be told is {@link AppStatus#UNKNOWN}, and counts as up. */
public interface AppProbe {
    Uni<Result> probe(Sharer app);

    /** @param detail what was seen, for people */
    record Result(AppStatus status, Optional<Integer> httpCode, String detail) {
        public static Result unknown(String detail) {
            return new Result(AppStatus.UNKNOWN, Optional.empty(), detail);
        }
    }
}

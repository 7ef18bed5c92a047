package io.holdfast.power;

import io.holdfast.registry.Sharer;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** Tells whether an app is up. Never fails: what cannot be told is {@link Status#UNKNOWN}, and counts as up. */
public interface AppProbe {
    Uni<Result> probe(Sharer app);

    enum Status {
        UP,
        DOWN,
        UNKNOWN
    }

    /** @param detail what was seen, for people */
    record Result(Status status, Optional<Integer> httpCode, String detail) {
        public static Result unknown(String detail) {
            return new Result(Status.UNKNOWN, Optional.empty(), detail);
        }
    }
}

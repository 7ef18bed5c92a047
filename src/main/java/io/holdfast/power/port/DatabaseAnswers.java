package io.holdfast.power.port;

import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;

/** Checks whether a database accepts connections. A running database may not accept them yet. Never fails. */
public interface DatabaseAnswers {
    Uni<Boolean> answers(Database database);
}

package io.holdfast.power.port;

import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;

/** Tells whether a database takes connections: running is not yet answering. Never fails. */
public interface DatabaseAnswers {
    Uni<Boolean> answers(Database database);
}

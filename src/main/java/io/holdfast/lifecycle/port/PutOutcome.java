package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Service;

/** The result of a registration. */
public sealed interface PutOutcome {
    record Registered(Service service) implements PutOutcome {}

    /** The service existed. Its spec was replaced, and its status was not changed. */
    record Replaced(Service service) implements PutOutcome {}
}

package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import java.util.Optional;

/**
 * A change of a service, with its row for the history.
 *
 * @param before the service as it was read; absent for a registration
 * @param after absent for a removal
 */
public record StatusChange(Optional<Service> before, Optional<Service> after, Move move) {
    public ServiceId id() {
        return move.service();
    }
}

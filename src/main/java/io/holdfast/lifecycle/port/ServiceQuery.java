package io.holdfast.lifecycle.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceStatus;
import java.util.Optional;

/** A request for one page of services, ordered by id. */
public record ServiceQuery(Optional<ServiceStatus> status, String prefix, int limit, Optional<Cursor> after) {
    public boolean matches(Service service) {
        return service.id().value().startsWith(prefix)
                && status.filter(wanted -> wanted != service.status()).isEmpty();
    }
}

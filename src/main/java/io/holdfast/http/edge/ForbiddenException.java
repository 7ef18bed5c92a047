package io.holdfast.http.edge;

import io.holdfast.access.model.AccessDecision.Denied;

/** The grants of the caller do not allow the request. Becomes a response, like input that is refused. */
public final class ForbiddenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Denied denied;

    ForbiddenException(Denied denied) {
        super(denied.sentence(), null, false, false);
        this.denied = denied;
    }

    Denied denied() {
        return denied;
    }
}

package io.holdfast.http.wire.lock;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** The response to a release of several locks. */
@RegisterForReflection
public record ReleaseAllBody(boolean released, List<One> locks) {

    @RegisterForReflection
    public record One(String name, boolean released) {}
}

package io.holdfast.http.access;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;
import java.util.UUID;

/** Switches access control on, with the access file of {@link AccessFixture}. */
public class AccessOn implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "holdfast.access-file",
                AccessFixture.writtenFile().toString(),
                "holdfast.access.reload-every",
                "100ms",
                "holdfast.data-dir",
                "target/data-access/" + UUID.randomUUID());
    }
}

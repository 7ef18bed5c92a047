package io.holdfast.http.wire.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** Who the caller is, and its grants. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AccessBody(
        String mode,
        String subject,
        String issuer,
        boolean admin,
        List<GrantedBody> grants,
        @JsonProperty("expires_at") String expiresAt) {}

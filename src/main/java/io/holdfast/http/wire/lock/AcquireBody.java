package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Map;

/** The body of an acquire. */
@RegisterForReflection
public record AcquireBody(
        String owner,
        String ttl,
        @JsonProperty("wait") String waitFor,
        @JsonProperty("auto_renew") Boolean autoRenew,
        @JsonProperty("max_hold") String maxHold,
        @JsonProperty("lock_id") String lockId,
        @JsonProperty("lock_type") String lockType,
        @JsonProperty("user_email") String userEmail,
        Map<String, String> metadata) {}

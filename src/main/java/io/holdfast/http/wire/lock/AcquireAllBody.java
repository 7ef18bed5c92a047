package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;

/** The body of an acquire of several locks. */
@RegisterForReflection
public record AcquireAllBody(
        List<String> names,
        String owner,
        String ttl,
        @JsonProperty("wait") String waitFor,
        @JsonProperty("lock_id") String lockId,
        @JsonProperty("lock_type") String lockType,
        @JsonProperty("user_email") String userEmail,
        Map<String, String> metadata,
        @JsonProperty("auto_renew") Boolean autoRenew,
        @JsonProperty("max_hold") String maxHold) {

    /** The request for each single lock. */
    public AcquireBody each() {
        return new AcquireBody(owner, ttl, waitFor, autoRenew, maxHold, lockId, lockType, userEmail, metadata);
    }
}

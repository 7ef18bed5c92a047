package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** What a service says of itself to whoever may ask: of its surroundings only names that are not settings, and no secret. */
@RegisterForReflection
public record AboutBody(
        String version,
        String store,
        String time,
        Limits limits,
        @JsonProperty("unknown_settings") List<UnknownSettingBody> unknownSettings) {

    /** What is taken for granted when it is not said, and what is refused when it is. */
    @RegisterForReflection
    public record Limits(
            @JsonProperty("ttl_default_ms") long ttlDefaultMs,
            @JsonProperty("ttl_min_ms") long ttlMinMs,
            @JsonProperty("ttl_max_ms") long ttlMaxMs,
            @JsonProperty("wait_max_ms") long waitMaxMs,
            @JsonProperty("queue_max") int queueMax,
            @JsonProperty("set_max") int setMax,
            @JsonProperty("hold_ttl_default_ms") long holdTtlDefaultMs,
            @JsonProperty("max_clock_skew_ms") long maxClockSkewMs,
            @JsonProperty("body_max") long bodyMax) {}
}

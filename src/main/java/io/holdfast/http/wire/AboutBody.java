package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** What a replica tells about itself. Contains no values of settings and no secrets. */
@RegisterForReflection
public record AboutBody(
        String version,
        String store,
        String time,
        String access,
        Limits limits,
        @JsonProperty("unknown_settings") List<UnknownSettingBody> unknownSettings) {

    /** Defaults and limits of requests. */
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

package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.hold.KeepAliveLimits;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a service says of itself to whoever may ask: of its surroundings only names that are not settings, and no secret. */
@RegisterForReflection
@Schema(name = "About")
public record AboutBody(
        @Schema(examples = "0.2.0") String version,
        @Schema(
                        description = "Which store keeps the data",
                        enumeration = {"embedded", "dynamodb"},
                        examples = "dynamodb")
                String store,
        @Schema(description = "The clock of the replica that answers", examples = "2026-01-05T14:02:15.000Z")
                String time,
        Limits limits,
        @JsonProperty("unknown_settings")
                @Schema(
                        description =
                                "What was set for the replica that answers and is not a setting: misspelt, most likely")
                List<UnknownSettingBody> unknownSettings) {

    /** What is taken for granted when it is not said, and what is refused when it is. */
    @RegisterForReflection
    @Schema(name = "Limits")
    public record Limits(
            @JsonProperty("ttl_default_ms") @Schema(examples = "1800000") long ttlDefaultMs,
            @JsonProperty("ttl_min_ms") @Schema(examples = "1000") long ttlMinMs,
            @JsonProperty("ttl_max_ms") @Schema(examples = "86400000") long ttlMaxMs,
            @JsonProperty("wait_max_ms") @Schema(examples = "300000") long waitMaxMs,
            @JsonProperty("line_max") @Schema(description = "How many may wait for one lock", examples = "64")
                    int lineMax,
            @JsonProperty("set_max") @Schema(description = "How many locks may be taken together", examples = "16")
                    int setMax,
            @JsonProperty("hold_ttl_default_ms") @Schema(examples = "60000") long holdTtlDefaultMs,
            @JsonProperty("max_clock_skew_ms")
                    @Schema(description = "How far the clocks of two replicas may lie apart", examples = "1000")
                    long maxClockSkewMs,
            @JsonProperty("body_max") @Schema(description = "Bytes that a request's body may have", examples = "65536")
                    long bodyMax) {

        public static Limits of(KeepAliveLimits keep, long bodyMax) {
            var lock = keep.lock().config();
            var waiting = keep.lock().waiting();
            return new Limits(
                    lock.ttlDefault().toMillis(),
                    lock.ttlMin().toMillis(),
                    lock.ttlMax().toMillis(),
                    waiting.max().toMillis(),
                    waiting.queueMax(),
                    lock.setMax(),
                    keep.hold().ttlDefault().toMillis(),
                    lock.maxClockSkew().toMillis(),
                    bodyMax);
        }
    }
}

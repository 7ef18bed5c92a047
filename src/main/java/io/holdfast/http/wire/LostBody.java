package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The last that a hold's client hears. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Lost")
public record LostBody(
        @Schema(
                        enumeration = {
                            "expired",
                            "forced",
                            "released",
                            "store_unreachable",
                            "max_hold",
                            "superseded",
                            "shutting_down"
                        },
                        examples = "forced")
                String cause,
        @Schema(description = "One sentence", examples = "Lock 'nightly' was taken away by an administrator: stuck.")
                String detail,
        @JsonProperty("remaining_ms")
                @Schema(description = "When the service goes away: how long the lease is still yours")
                Long remainingMs,
        @JsonProperty("expires_at") @Schema(description = "When the service goes away: until when it is yours")
                String expiresAt) {

    public static LostBody of(LeaseLoss loss, Lease lease, Instant now) {
        var stays = loss.cause() == LeaseLoss.Cause.SHUTTING_DOWN;
        return new LostBody(
                loss.cause().name().toLowerCase(Locale.ROOT),
                loss.detail(),
                stays ? lease.remainingAt(now).toMillis() : null,
                stays ? Times.text(lease.expiresAt()) : null);
    }
}

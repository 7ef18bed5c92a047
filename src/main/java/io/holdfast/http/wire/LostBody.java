package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.Locale;

/** The last that a hold's client hears. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LostBody(
        String cause,
        String detail,
        @JsonProperty("remaining_ms") Long remainingMs,
        @JsonProperty("expires_at") String expiresAt) {

    public static LostBody of(LeaseLoss loss, Lease lease, Instant now) {
        var stays = loss.cause() == LeaseLoss.Cause.SHUTTING_DOWN;
        return new LostBody(
                loss.cause().name().toLowerCase(Locale.ROOT),
                loss.detail(),
                stays ? lease.remainingAt(now).toMillis() : null,
                stays ? Times.text(lease.expiresAt()) : null);
    }
}

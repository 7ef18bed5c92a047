package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.power.model.Decision;
import io.holdfast.registry.AppName;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What was decided about one database, and on what grounds. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Decision")
public record DecisionBody(
        @Schema(examples = "i-0abc") String database,
        @Schema(examples = "postgres") String type,
        @Schema(examples = "SKIPPED_SHARED_ACTIVE") String decision,
        @Schema(examples = "shared with active apps: reports") String reason,
        List<SeenBody> sharers,
        @JsonProperty("fencing_token") @Schema(description = "Of the lock it was decided under, if there was one")
                Long fencingToken,
        @Schema(description = "Rises with every stop or start of this database") long epoch,
        @Schema(description = "The app that asked; absent when Holdfast looked again by itself") String app,
        @Schema(examples = "2026-01-05T14:02:15.000Z") String at,
        @JsonProperty("took_ms") long tookMs) {

    /** How one sharing app was seen. */
    @RegisterForReflection
    @Schema(name = "SharerSeen")
    public record SeenBody(
            @Schema(examples = "reports") String app,
            @Schema(
                            enumeration = {"UP", "DOWN", "UNKNOWN"},
                            examples = "UP")
                    String status,
            @JsonProperty("http_code") @Schema(nullable = true, examples = "200") Integer httpCode,
            @Schema(description = "What was seen, in words") String detail) {}

    public static DecisionBody of(Decision decision) {
        var evidence = decision.evidence();
        var seen = evidence.sharers().stream()
                .map(one -> new SeenBody(
                        one.app().value(), one.status().name(), one.httpCode().orElse(null), one.detail()))
                .toList();
        return new DecisionBody(
                decision.database().value(),
                decision.type(),
                decision.result().name(),
                decision.reason(),
                seen,
                evidence.token().map(FencingToken::value).orElse(null),
                evidence.epoch(),
                decision.by().app().map(AppName::value).orElse(null),
                Times.text(decision.by().at()),
                decision.by().took().toMillis());
    }
}

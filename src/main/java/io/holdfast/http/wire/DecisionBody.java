package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.power.model.Decision;
import io.holdfast.registry.AppName;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** What was decided about one database, and on what grounds. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DecisionBody(
        String database,
        String type,
        String decision,
        String reason,
        List<SeenBody> sharers,
        @JsonProperty("fencing_token") Long fencingToken,
        long epoch,
        String app,
        String at,
        @JsonProperty("took_ms") long tookMs) {

    /** How one sharing app was seen. */
    @RegisterForReflection
    public record SeenBody(String app, String status, @JsonProperty("http_code") Integer httpCode, String detail) {}

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

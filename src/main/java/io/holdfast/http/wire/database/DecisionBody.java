package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A decision about one database, with its evidence. */
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

    /** The probe result of one sharer. */
    @RegisterForReflection
    public record SeenBody(String app, String status, @JsonProperty("http_code") Integer httpCode, String detail) {}
}

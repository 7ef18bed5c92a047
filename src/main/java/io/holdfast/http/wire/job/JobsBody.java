package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of jobs, the newest first. */
@RegisterForReflection
public record JobsBody(List<JobBody> jobs, @JsonProperty("next_cursor") String nextCursor) {}

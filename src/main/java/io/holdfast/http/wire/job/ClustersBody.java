package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of clusters, without their jobs. */
@RegisterForReflection
public record ClustersBody(List<ClusterBody> clusters, @JsonProperty("next_cursor") String nextCursor) {}

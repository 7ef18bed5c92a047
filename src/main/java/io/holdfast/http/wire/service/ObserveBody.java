package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.http.wire.database.WorkloadBody;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Where to see what really runs of a service: a workload or a URL.
 *
 * @param probe how an answer of the URL is judged
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObserveBody(WorkloadBody kubernetes, String url, String probe) {}

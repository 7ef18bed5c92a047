package io.holdfast.http.wire.job;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body of a worker's heartbeat. */
@RegisterForReflection
public record JobHeartbeatBody(Long epoch, ProgressBody progress) {}

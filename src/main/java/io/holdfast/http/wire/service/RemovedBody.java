package io.holdfast.http.wire.service;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The answer to a removal. */
@RegisterForReflection
public record RemovedBody(boolean removed) {}

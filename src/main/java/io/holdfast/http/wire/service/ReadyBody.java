package io.holdfast.http.wire.service;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The first event of a stream. Moves after this position follow. */
@RegisterForReflection
public record ReadyBody(String position) {}

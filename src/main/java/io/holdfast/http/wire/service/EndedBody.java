package io.holdfast.http.wire.service;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The last event of a stream whose caller is no longer accepted. */
@RegisterForReflection
public record EndedBody(String cause, String detail) {}

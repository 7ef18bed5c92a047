package io.holdfast.registry;

/** An app that uses a database, and how to probe it. */
public record Sharer(AppName app, ProbeSpec probe) {}

package io.holdfast.registry;

/** An app as one of those that use a database: its name, and how to tell whether it is up. */
public record Sharer(AppName app, ProbeSpec probe) {}

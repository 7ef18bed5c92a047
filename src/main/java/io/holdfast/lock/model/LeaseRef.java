package io.holdfast.lock.model;

/** Names one lease the way its holder must: by acquisition and owner, never by one of them alone. */
public record LeaseRef(LockName name, LockId id, Owner owner) {}

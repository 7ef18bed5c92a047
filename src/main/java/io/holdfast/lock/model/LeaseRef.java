package io.holdfast.lock.model;

/** Names one lease. A holder must name both the lock_id and the owner. */
public record LeaseRef(LockName name, LockId id, Owner owner) {}

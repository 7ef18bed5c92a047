package io.holdfast.lock;

import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import java.util.Optional;

/**
 * @param id the caller's idempotency key, or none
 * @param terms for how long, and how
 */
public record AcquireCommand(LockName name, Owner owner, Optional<LockId> id, LeaseTerms terms, Labels labels) {}

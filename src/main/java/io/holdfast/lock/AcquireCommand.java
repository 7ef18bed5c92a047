package io.holdfast.lock;

import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import java.util.Optional;

/**
 * A request for one lock, as a caller makes it.
 *
 * @param id the caller's idempotency key, or none
 */
public record AcquireCommand(LockName name, Owner owner, Optional<LockId> id, LeaseTerms terms, Labels labels) {}

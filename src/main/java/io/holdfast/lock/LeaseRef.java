package io.holdfast.lock;

import java.util.Optional;

/** Names one lease the way its holder must: by acquisition and owner, never by one of them alone. */
public record LeaseRef(LockName name, LockId id, Owner owner) {
    /** The same lease, if its record has this token. Placeholder: the token is not compared yet. */
    public LeaseRef withToken(Optional<FencingToken> token) {
        return this;
    }
}

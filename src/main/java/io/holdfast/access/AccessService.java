package io.holdfast.access;

import io.holdfast.access.model.AccessDecision;
import io.holdfast.access.model.AccessPolicy;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.AuthOutcome;
import io.holdfast.access.model.AuthOutcome.Missing;
import io.holdfast.access.model.AuthOutcome.Refused;
import io.holdfast.access.model.Caller;
import io.holdfast.access.model.Credentials;
import io.holdfast.access.model.Grant;
import io.holdfast.access.model.NameScope;
import io.holdfast.access.model.Permission;
import io.holdfast.access.model.ResourceKind;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/**
 * Entry point for access control: authenticates requests and decides by the access file that is in force. Thread-safe
 * and non-blocking. Without an access file it is off: {@link #isOn()} is false, and it authenticates no request.
 */
@Singleton
public class AccessService {
    /** Whether there is an access file. Fixed for the life of the process. */
    public boolean isOn() {
        return false;
    }

    /** Never fails. Answers at once unless the keys of an issuer have to be fetched. */
    public Uni<AuthOutcome> authenticate(Credentials credentials) {
        return Uni.createFrom().item(new Missing());
    }

    /** By the grants that are now in force. */
    public AccessDecision decide(Caller caller, Permission permission) {
        return policy().decide(caller.subject(), permission);
    }

    /** Which names a list may show to the caller. */
    public NameScope scope(Caller caller, ResourceKind kind, Action action) {
        return policy().scope(caller.subject(), kind, action);
    }

    public List<Grant> grantsOf(Caller caller) {
        return policy().grantsOf(caller.subject());
    }

    /**
     * Why a caller that was authenticated earlier is not accepted any more: its token has expired, or the access file
     * has no longer the token or the issuer. For connections that outlive a request. Its grants are not considered: ask
     * {@link #decide} too.
     */
    public Optional<Refused> ended(Caller caller) {
        return Optional.empty();
    }

    /** Runs after each change of the file in force, on a worker thread. */
    public void onReload(Runnable listener) {}

    public AccessStatus status() {
        return new AccessStatus(false, Optional.empty(), Optional.empty(), List.of());
    }

    private AccessPolicy policy() {
        return new AccessPolicy(List.of());
    }
}

package io.holdfast.access.model;

import io.holdfast.access.model.AccessDecision.Allowed;
import io.holdfast.access.model.AccessDecision.Denied;
import io.holdfast.access.model.Grant.Allowance;
import io.holdfast.kernel.Subject;
import java.util.List;
import java.util.Optional;

/** All grants. Decides what a subject may do. Immutable, without clock and store. */
public record AccessPolicy(List<Grant> grants) {
    public AccessPolicy {
        grants = List.copyOf(grants);
    }

    /** Allowed if one grant allows it. */
    public AccessDecision decide(Subject subject, Permission permission) {
        return grants.stream()
                .filter(grant -> grant.isFor(subject))
                .flatMap(grant -> allowedBy(grant, permission).stream())
                .findFirst()
                .<AccessDecision>map(Allowed::new)
                .orElseGet(() -> new Denied(subject, permission, missing(permission)));
    }

    private static Optional<String> allowedBy(Grant grant, Permission permission) {
        for (var i = 0; i < grant.allowances().size(); i++) {
            if (grant.allowances().get(i).allows(permission)) {
                return Optional.of(grant.place() + ".allow[" + i + "]");
            }
        }
        return Optional.empty();
    }

    /** The grant that would allow it, in words. */
    private static String missing(Permission permission) {
        return switch (permission) {
            case Permission.Admin admin -> "a grant with admin";
            case Permission.OnResource wanted
            when wanted.isReserved() -> "a grant with admin, because the service itself uses this lock";
            case Permission.OnResource wanted ->
                "a grant of %s on %s with a prefix of this name"
                        .formatted(wanted.action().word(), wanted.kind().word());
        };
    }

    /** The names that the subject may use for the action. Reserved names of locks count for {@code read} only. */
    public NameScope scope(Subject subject, ResourceKind kind, Action action) {
        return new NameScope(grants.stream()
                .filter(grant -> grant.isFor(subject))
                .flatMap(grant -> grant.allowances().stream())
                .flatMap(allowance -> prefix(allowance, kind, action).stream())
                .toList());
    }

    private static Optional<String> prefix(Allowance allowance, ResourceKind kind, Action action) {
        return switch (allowance) {
            case Allowance.Everything everything -> Optional.of("");
            case Allowance.OnNames names
            when names.kind() == kind && names.actions().contains(action) -> Optional.of(names.prefix());
            case Allowance.OnNames names -> Optional.empty();
        };
    }

    /** In the order of the access file. */
    public List<Grant> grantsOf(Subject subject) {
        return grants.stream().filter(grant -> grant.isFor(subject)).toList();
    }

    /** Whether the subject has {@code admin}. */
    public boolean isAdmin(Subject subject) {
        return decide(subject, new Permission.Admin()).isAllowed();
    }
}

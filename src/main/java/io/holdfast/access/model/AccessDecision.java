package io.holdfast.access.model;

import io.holdfast.kernel.Subject;

/** Whether the grants allow what a subject wants. */
public sealed interface AccessDecision {
    /** @param by where the grant stands in the access file, such as {@code grants[1].allow[0]} */
    record Allowed(String by) implements AccessDecision {}

    /** @param missing the grant that would allow it, in words */
    record Denied(Subject subject, Permission permission, String missing) implements AccessDecision {
        public String sentence() {
            return "Subject '%s' may not %s %s: it needs %s."
                    .formatted(subject, permission.actionWord(), permission.resourceWord(), missing);
        }
    }

    default boolean isAllowed() {
        return this instanceof Allowed;
    }
}

package io.holdfast.lock.model;

import io.holdfast.kernel.Subject;
import io.holdfast.kernel.Text;
import java.util.Optional;

/**
 * The owner of a lock: an execution, a pod, a person. Two processes with the same owner count as one.
 *
 * @param subject on whose behalf it acts, as access control knows it. Absent for the service itself, and for requests
 *     while access control is off
 */
public record Owner(String value, Optional<Subject> subject) {
    public static final int LENGTH_MAX = 255;

    public Owner {
        Text.printable("owner", value, LENGTH_MAX);
    }

    public Owner(String value) {
        this(value, Optional.empty());
    }

    /**
     * Whether both are one owner to the rules. An absent subject is the same as every other: access control was off, or
     * the service itself asks. So this is not transitive, and {@code equals} is stricter.
     */
    public boolean isSameAs(Owner other) {
        return value.equals(other.value)
                && (subject.isEmpty() || other.subject.isEmpty() || subject.equals(other.subject));
    }

    @Override
    public String toString() {
        return value;
    }
}

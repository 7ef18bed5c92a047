package io.holdfast.access.model;

import io.holdfast.kernel.Subject;
import java.util.List;
import java.util.Set;

/**
 * Allows some subjects some actions. Grants add up; there is none that denies.
 *
 * @param place where it stands in the access file, such as {@code grants[1]}
 */
public record Grant(String place, List<SubjectPattern> subjects, List<Allowance> allowances) {
    public Grant {
        subjects = List.copyOf(subjects);
        allowances = List.copyOf(allowances);
    }

    public boolean isFor(Subject subject) {
        return subjects.stream().anyMatch(pattern -> pattern.matches(subject));
    }

    /** One entry of {@code allow}. */
    public sealed interface Allowance {
        boolean allows(Permission permission);

        /** @param prefix of names; all names begin with the empty one */
        record OnNames(ResourceKind kind, String prefix, Set<Action> actions) implements Allowance {
            public OnNames {
                actions = Set.copyOf(actions);
            }

            @Override
            public boolean allows(Permission permission) {
                return permission instanceof Permission.OnResource wanted
                        && !wanted.isReserved()
                        && wanted.kind() == kind
                        && actions.contains(wanted.action())
                        && wanted.name().startsWith(prefix);
            }
        }

        record Everything() implements Allowance {
            @Override
            public boolean allows(Permission permission) {
                return true;
            }
        }
    }
}

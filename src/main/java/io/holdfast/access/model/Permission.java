package io.holdfast.access.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an operation needs: an action on one resource, or {@code admin}. */
public sealed interface Permission {
    String ADMIN_WORD = "admin";

    /** The word of the action, as in the access file and in a refusal. */
    String actionWord();

    /** {@code KIND:NAME}, as in a refusal. */
    String resourceWord();

    /** @param name as the service uses it: decoded, and compared character by character */
    record OnResource(Action action, ResourceKind kind, String name) implements Permission {
        public OnResource {
            if (!kind.actions().contains(action)) {
                throw new IllegalArgumentException(kind.word() + " have no action " + action.word());
            }
        }

        @Override
        public String actionWord() {
            return action.word();
        }

        @Override
        public String resourceWord() {
            return kind.word() + ":" + Text.cleaned(name, Text.NAME_LENGTH_MAX);
        }

        /** Whether the service's own parts use this lock, so that only {@code admin} may change it. */
        public boolean isReserved() {
            return kind == ResourceKind.LOCKS && action != Action.READ && ReservedLocks.contains(name);
        }
    }

    /** The brake, pausing reconciliation, and every other permission. */
    record Admin() implements Permission {
        static final String RESOURCE = "holdfast";

        @Override
        public String actionWord() {
            return ADMIN_WORD;
        }

        @Override
        public String resourceWord() {
            return RESOURCE;
        }
    }

    /**
     * Reads what a user typed.
     *
     * @param resource {@code KIND:NAME} or {@code KIND/NAME}; for {@code admin} it is {@code holdfast} or empty
     * @throws InvalidInputException with the field, {@code action} or {@code resource}
     */
    static Permission parse(String action, String resource) {
        if (ADMIN_WORD.equals(action)) {
            if (!resource.isEmpty() && !resource.equals(Admin.RESOURCE)) {
                throw new InvalidInputException("resource", "'" + Admin.RESOURCE + "' for the action admin");
            }
            return new Admin();
        }
        var parts = resource.split("[:/]", 2);
        var kind = ResourceKind.of(parts[0])
                .filter(known -> parts.length == 2)
                .orElseThrow(() -> new InvalidInputException("resource", "KIND:NAME with the kind " + kinds()));
        var name = Text.name("resource", parts[1]);
        return kind.actions().stream()
                .filter(one -> one.word().equals(action))
                .findFirst()
                .<Permission>map(one -> new OnResource(one, kind, name))
                .orElseThrow(() -> new InvalidInputException(
                        "action",
                        kind.actions().stream().map(Action::word).collect(Collectors.joining(", ")) + " for "
                                + kind.word() + ", or " + ADMIN_WORD));
    }

    private static String kinds() {
        return Stream.of(ResourceKind.values()).map(ResourceKind::word).collect(Collectors.joining(", "));
    }
}

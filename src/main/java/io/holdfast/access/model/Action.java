package io.holdfast.access.model;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a grant allows on resources of one kind. {@link ResourceKind} has the actions of each kind. */
public enum Action {
    READ,
    /** Includes renewing and releasing what the subject holds. */
    ACQUIRE,
    FORCE,
    REGISTER,
    STOP,
    START,
    DEPLOY,
    REPORT,
    SUBMIT,
    WORK,
    CANCEL;

    public static Optional<Action> of(String word) {
        return Stream.of(values()).filter(one -> one.word().equals(word)).findFirst();
    }

    /** As in the access file and the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

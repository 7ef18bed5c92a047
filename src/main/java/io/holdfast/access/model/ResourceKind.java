package io.holdfast.access.model;

import static io.holdfast.access.model.Action.ACQUIRE;
import static io.holdfast.access.model.Action.CANCEL;
import static io.holdfast.access.model.Action.DEPLOY;
import static io.holdfast.access.model.Action.FORCE;
import static io.holdfast.access.model.Action.READ;
import static io.holdfast.access.model.Action.REGISTER;
import static io.holdfast.access.model.Action.REPORT;
import static io.holdfast.access.model.Action.START;
import static io.holdfast.access.model.Action.STOP;
import static io.holdfast.access.model.Action.SUBMIT;
import static io.holdfast.access.model.Action.WORK;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of resources that grants name, each with its actions. */
public enum ResourceKind {
    LOCKS(READ, ACQUIRE, FORCE),
    APPS(READ, REGISTER, STOP, START),
    DATABASES(READ, REGISTER, STOP, START),
    SERVICES(READ, DEPLOY, REPORT),
    /** A job is named by its cluster. */
    CLUSTERS(READ, SUBMIT, WORK, CANCEL);

    private final List<Action> actions;

    ResourceKind(Action... actions) {
        this.actions = List.of(actions);
    }

    public static Optional<ResourceKind> of(String word) {
        return Stream.of(values()).filter(one -> one.word().equals(word)).findFirst();
    }

    public List<Action> actions() {
        return actions;
    }

    /** As in the access file and the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.holdfast.http.edge;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an operation needs of its caller, as {@code x-access} in the contract declares it. An operation without it does not
 * start.
 */
sealed interface AccessRule {
    /** No authentication. */
    record Open() implements AccessRule {}

    /** An accepted token. No grant is needed. */
    record Authenticated() implements AccessRule {}

    record Admin() implements AccessRule {}

    /**
     * One of the actions on the name in a parameter of the path or of the query.
     *
     * @param actions a resource with several of them decides which one the request needs
     */
    record OnName(List<Action> actions, ResourceKind kind, Source source, String parameter) implements AccessRule {}

    /**
     * The action on names that only the resource knows: those in a body or a list of names, the cluster of a job, or each
     * entry of an answer. The filter refuses a caller that has the action on no name; the resource decides on each name.
     */
    record OnNames(Action action, ResourceKind kind) implements AccessRule {}

    enum Source {
        PATH,
        QUERY
    }

    /** How {@code x-access} says that the resource knows the names. A parameter or a field may follow. */
    Set<String> KNOWN_BY_RESOURCE = Set.of("body", "list", "job", "each");

    /** @throws IllegalArgumentException with a sentence, if this is not a rule */
    static AccessRule of(JsonNode declared) {
        if (declared.isTextual()) {
            return switch (declared.textValue()) {
                case "open" -> new Open();
                case "authenticated" -> new Authenticated();
                case "admin" -> new Admin();
                default -> throw unknown(declared);
            };
        }
        var kind = ResourceKind.of(declared.path("kind").asText()).orElseThrow(() -> unknown(declared));
        var actions = actions(declared, kind);
        var name = declared.path("name").asText().split(" ", 2);
        if (name.length == 2 && name[0].equals("path")) {
            return new OnName(actions, kind, Source.PATH, name[1]);
        }
        if (name.length == 2 && name[0].equals("query")) {
            return new OnName(actions, kind, Source.QUERY, name[1]);
        }
        if (!KNOWN_BY_RESOURCE.contains(name[0]) || actions.size() != 1) {
            throw unknown(declared);
        }
        return new OnNames(actions.getFirst(), kind);
    }

    private static List<Action> actions(JsonNode declared, ResourceKind kind) {
        var action = declared.path("action");
        var words = action.isArray() ? action.valueStream() : Stream.of(action);
        var actions = words.map(word -> Action.of(word.asText()).orElseThrow(() -> unknown(declared)))
                .toList();
        if (actions.isEmpty() || !kind.actions().containsAll(actions)) {
            throw unknown(declared);
        }
        return actions;
    }

    private static IllegalArgumentException unknown(JsonNode declared) {
        return new IllegalArgumentException(
                declared.isMissingNode() ? "has no x-access" : "has an x-access that is not a rule: " + declared);
    }
}

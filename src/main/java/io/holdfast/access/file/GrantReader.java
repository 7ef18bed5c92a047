package io.holdfast.access.file;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.Grant;
import io.holdfast.access.model.Grant.Allowance;
import io.holdfast.access.model.ReservedLocks;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.access.model.SubjectPattern;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads entries of {@code grants}. */
final class GrantReader {
    private static final String ADMIN = "admin";
    private static final String ACTIONS = "actions";
    private static final List<String> KINDS =
            Stream.of(ResourceKind.values()).map(ResourceKind::word).toList();
    private static final List<String> ALLOW_KEYS =
            Stream.concat(KINDS.stream(), Stream.of(ACTIONS, ADMIN)).toList();

    private final GrantSubjects subjects;

    GrantReader(Set<String> issuers, Set<String> tokens) {
        this.subjects = new GrantSubjects(issuers, tokens);
    }

    Optional<Grant> read(Field entry) {
        var fields = entry.fields(List.of("subjects", "allow"));
        var patterns = new ArrayList<SubjectPattern>();
        var distinct = new Distinct();
        entry.required(fields, "subjects").map(Field::items).orElse(List.of()).forEach(item -> subjects.read(
                        item, distinct)
                .ifPresent(patterns::add));
        var allowances = new ArrayList<Allowance>();
        entry.required(fields, "allow").map(Field::items).orElse(List.of()).forEach(item -> allowance(item)
                .ifPresent(allowances::add));
        return Optional.of(new Grant(entry.path(), patterns, allowances));
    }

    private static Optional<Allowance> allowance(Field entry) {
        var fields = entry.fields(ALLOW_KEYS);
        var kinds = KINDS.stream().filter(fields::containsKey).toList();
        if (fields.containsKey(ADMIN)) {
            return admin(entry, fields);
        }
        if (kinds.size() != 1) {
            if (entry.node() instanceof YamlNode.Mapping) {
                entry.errors()
                        .add(entry, "must have exactly one of " + String.join(", ", KINDS) + ", or else admin: true");
            }
            return Optional.empty();
        }
        var kind = ResourceKind.of(kinds.getFirst()).orElseThrow();
        var prefix = prefix(fields.get(kind.word()));
        var actions = entry.required(fields, ACTIONS).map(field -> actions(field, kind));
        prefix.ifPresent(text -> actions.ifPresent(
                all -> refuseReserved(fields.get(kind.word()), new Allowance.OnNames(kind, text, all))));
        return prefix.flatMap(text -> actions.map(all -> new Allowance.OnNames(kind, text, all)));
    }

    private static Optional<Allowance> admin(Field entry, Map<String, Field> fields) {
        if (fields.size() > 1) {
            entry.errors().add(entry, "with admin there must be no other key; admin allows everything");
        }
        var admin = fields.get(ADMIN);
        if (!(admin.node() instanceof YamlNode.Text text)
                || !text.plain()
                || !text.value().equals("true")) {
            admin.errors().add(admin, "must be true; without admin, remove the key");
        }
        return Optional.of(new Allowance.Everything());
    }

    private static Optional<String> prefix(Field field) {
        var expected = "the beginning of names; put \"\" for all names";
        return field.text(expected).filter(text -> {
            try {
                Text.namePrefix("prefix", text);
                return true;
            } catch (InvalidInputException e) {
                field.errors()
                        .add(
                                field,
                                text.endsWith("*")
                                        ? "is a prefix already; leave the '*' out"
                                        : "must be " + e.allowed() + ", not '" + FileErrors.shown(text) + "'");
                return false;
            }
        });
    }

    private static Set<Action> actions(Field field, ResourceKind kind) {
        var words = kind.actions().stream().map(Action::word).toList();
        var actions = EnumSet.noneOf(Action.class);
        var distinct = new Distinct();
        for (var item : field.items()) {
            item.oneOf(words, "an action on " + kind.word(), distinct)
                    .flatMap(Action::of)
                    .ifPresent(actions::add);
        }
        return actions;
    }

    /** Such an entry would have no effect, and its author would not notice. */
    private static void refuseReserved(Field field, Allowance.OnNames names) {
        var changes = names.actions().stream().anyMatch(action -> action != Action.READ);
        if (names.kind() == ResourceKind.LOCKS && changes && ReservedLocks.contains(names.prefix())) {
            field.errors()
                    .add(
                            field,
                            "the service itself uses locks that begin with %s; only read and admin can be granted"
                                    .formatted(String.join(", ", ReservedLocks.PREFIXES)));
        }
    }
}

package io.holdfast.access.model;

import java.util.List;

/**
 * The names of one kind that a subject may use for one action. For lists, which show only what the subject may read.
 *
 * @param prefixes sorted, none of them the beginning of another; the empty prefix stands for all names
 */
public record NameScope(List<String> prefixes) {
    public NameScope {
        prefixes = withoutCovered(prefixes);
    }

    private static List<String> withoutCovered(List<String> all) {
        return all.stream()
                .filter(one -> all.stream().noneMatch(other -> one.startsWith(other) && !one.equals(other)))
                .distinct()
                .sorted()
                .toList();
    }

    public boolean contains(String name) {
        return prefixes.stream().anyMatch(name::startsWith);
    }

    public boolean isEmpty() {
        return prefixes.isEmpty();
    }

    public boolean isEverything() {
        return prefixes.contains("");
    }

    /** The part of the scope whose names begin with the prefix: what a filtered list may show. */
    public NameScope below(String prefix) {
        return new NameScope(prefixes.stream()
                .filter(one -> one.startsWith(prefix) || prefix.startsWith(one))
                .map(one -> one.startsWith(prefix) ? one : prefix)
                .toList());
    }
}

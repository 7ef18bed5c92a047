package io.holdfast.registry;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The links that change with an app. The edge versions of these databases increase, and no others.
 *
 * @param altered links that stay, with another probe
 */
public record LinkChanges(Set<DatabaseId> made, Set<DatabaseId> broken, Set<DatabaseId> altered) {

    /**
     * @param before empty if the app is new
     * @param after empty if the app is removed
     */
    public static LinkChanges between(Optional<App> before, Optional<App> after) {
        var old = before.map(App::databases).orElse(Set.of());
        var wanted = after.map(App::databases).orElse(Set.of());
        var kept = new TreeSet<>(wanted);
        kept.retainAll(old);
        var probeStays = before.map(App::probe).equals(after.map(App::probe));
        return new LinkChanges(without(wanted, old), without(old, wanted), probeStays ? Set.of() : kept);
    }

    public Set<DatabaseId> all() {
        var all = new TreeSet<>(made);
        all.addAll(broken);
        all.addAll(altered);
        return Collections.unmodifiableSet(all);
    }

    private static Set<DatabaseId> without(Set<DatabaseId> from, Set<DatabaseId> removed) {
        var left = new TreeSet<>(from);
        left.removeAll(removed);
        return Collections.unmodifiableSet(left);
    }
}

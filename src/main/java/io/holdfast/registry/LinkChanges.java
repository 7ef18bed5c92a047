package io.holdfast.registry;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What becomes of an app's links when the app changes. Each database named here sees its edge version rise, and no
 * other does.
 *
 * @param altered links that stay, with another probe
 */
public record LinkChanges(Set<DatabaseId> made, Set<DatabaseId> broken, Set<DatabaseId> altered) {

    /** @param before none when the app is new; {@code after} none when it is removed */
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

    private static Set<DatabaseId> without(Set<DatabaseId> from, Set<DatabaseId> taken) {
        var left = new TreeSet<>(from);
        left.removeAll(taken);
        return Collections.unmodifiableSet(left);
    }
}

package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** An app and the databases it uses. */
public record App(AppName name, ProbeSpec probe, Set<DatabaseId> databases) {
    /** Limited so that all links of an app change in one transaction of any store. */
    public static final int DATABASES_MAX = 20;

    public App {
        if (databases.size() > DATABASES_MAX) {
            throw new InvalidInputException("databases", "at most " + DATABASES_MAX + " identifiers");
        }
        databases = Collections.unmodifiableSet(new TreeSet<>(databases));
    }

    public Sharer sharer() {
        return new Sharer(name, probe);
    }
}

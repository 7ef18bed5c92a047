package io.holdfast.store.embedded;

import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.store.codec.Revisions;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** A database with the names of the apps that use it, so that they are found without a scan. */
record DatabaseRecord(Database database, long edgeVersion, Set<AppName> apps) {
    DatabaseRecord {
        apps = Collections.unmodifiableSet(new TreeSet<>(apps));
    }

    static DatabaseRecord unlinked(Database database) {
        return new DatabaseRecord(database, Revisions.fresh(), Set.of());
    }

    DatabaseRecord with(Database changed) {
        return new DatabaseRecord(changed, edgeVersion, apps);
    }

    /** @param linked whether the app uses this database after the change */
    DatabaseRecord relinked(AppName app, boolean linked) {
        var changed = new TreeSet<>(apps);
        if (linked) {
            changed.add(app);
        } else {
            changed.remove(app);
        }
        return new DatabaseRecord(database, edgeVersion + 1, changed);
    }
}

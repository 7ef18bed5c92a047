package io.holdfast.power.model;

import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.registry.DatabaseId;
import java.util.regex.Pattern;

/** Names of the locks of databases, and of their owners. */
public final class DatabaseLocks {
    private static final String PREFIX = "DB#";
    private static final String OWNER_PREFIX = "power-";
    private static final Pattern OWNER = Pattern.compile(OWNER_PREFIX + "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private DatabaseLocks() {}

    public static LockName nameOf(DatabaseId id) {
        return new LockName(PREFIX + id);
    }

    public static Owner newOwner() {
        return new Owner(OWNER_PREFIX + LockId.random());
    }

    /** Whether Holdfast itself acquires this lock, and not a client. */
    public static boolean isOwn(LockName name, Owner owner) {
        return name.value().startsWith(PREFIX) && OWNER.matcher(owner.value()).matches();
    }
}

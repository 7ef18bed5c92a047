package io.holdfast.access.model;

import java.util.List;

/**
 * Names of locks that the service's own parts acquire. A client that held one could block a stop, a job, a status
 * change or a background task of the service. A test compares the list with the code that builds these names.
 */
public final class ReservedLocks {
    public static final List<String> PREFIXES = List.of("DB#", "CLUSTER#", "SERVICE#", "system/");

    private ReservedLocks() {}

    public static boolean contains(String name) {
        return PREFIXES.stream().anyMatch(name::startsWith);
    }
}

package io.holdfast.registry;

import java.util.List;

/**
 * A database and its sharers, from one consistent read.
 *
 * @param edgeVersion increases when a link is added, removed or gets another probe. Versions are not reused after the
 *     database is removed and registered again, so a write conditional on a version is safe
 */
public record SharedDatabase(Database database, long edgeVersion, List<Sharer> sharers) {
    public SharedDatabase {
        sharers = List.copyOf(sharers);
    }
}

package io.holdfast.registry;

import java.util.List;

/**
 * A database and who uses it, read at one moment.
 *
 * @param edgeVersion rises with every link made or broken
 */
public record SharedDatabase(Database database, long edgeVersion, List<Sharer> sharers) {
    public SharedDatabase {
        sharers = List.copyOf(sharers);
    }
}

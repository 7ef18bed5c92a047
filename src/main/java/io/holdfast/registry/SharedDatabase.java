package io.holdfast.registry;

import java.util.List;

/**
 * A database and who uses it, read at one moment.
 *
 * @param edgeVersion rises with every link made, broken or changed in its probe, and with nothing else. A database registered
 *     anew does not repeat the versions of its former life, so a write that carries the version seen is safe
 */
public record SharedDatabase(Database database, long edgeVersion, List<Sharer> sharers) {
    public SharedDatabase {
        sharers = List.copyOf(sharers);
    }
}

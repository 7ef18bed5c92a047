package io.holdfast.cli.cluster;

import java.util.Iterator;
import java.util.List;

/** The statuses of a cluster that a shell completes. The service checks the value, so a newer service may know more. */
final class ClusterStatuses implements Iterable<String> {
    private static final List<String> ALL =
            List.of("PENDING", "CREATING", "READY", "SCALING", "DESTROYING", "DESTROYED", "FAILED");

    @Override
    public Iterator<String> iterator() {
        return ALL.iterator();
    }
}

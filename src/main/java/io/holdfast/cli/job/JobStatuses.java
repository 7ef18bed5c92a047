package io.holdfast.cli.job;

import java.util.Iterator;
import java.util.List;

/** The statuses of a job that a shell completes. The service checks the value, so a newer service may know more. */
final class JobStatuses implements Iterable<String> {
    private static final List<String> ALL =
            List.of("QUEUED", "RUNNING", "WAITING", "SUCCEEDED", "FAILED", "CANCELLED", "DEAD");

    @Override
    public Iterator<String> iterator() {
        return ALL.iterator();
    }
}

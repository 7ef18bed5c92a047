package io.holdfast.cli.service;

import java.util.Iterator;
import java.util.List;

/** The statuses of a service that a shell completes. The service checks the value, so a newer service may know more. */
final class ServiceStatuses implements Iterable<String> {
    private static final List<String> ALL = List.of("IDLE", "DEPLOYING", "RUNNING", "STOPPED", "FAILED", "CRASHING");

    @Override
    public Iterator<String> iterator() {
        return ALL.iterator();
    }
}

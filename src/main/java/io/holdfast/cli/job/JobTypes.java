package io.holdfast.cli.job;

import java.util.Iterator;
import java.util.List;

/** The types of jobs that a shell completes. The service checks the value, so a newer service may know more. */
public final class JobTypes implements Iterable<String> {
    private static final List<String> ALL = List.of("CREATE", "DESTROY", "SCALE_WORKERS", "JANITOR_DESTROY");

    @Override
    public Iterator<String> iterator() {
        return ALL.iterator();
    }
}

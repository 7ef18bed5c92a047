package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.kernel.Cursor;
import java.util.Optional;

/**
 * Which clusters to list, by name.
 *
 * @param prefix how their names begin
 */
public record ClusterQuery(Optional<ClusterStatus> status, String prefix, int limit, Optional<Cursor> after) {
    public boolean matches(Cluster cluster) {
        return cluster.name().name().startsWith(prefix)
                && status.filter(wanted -> wanted != cluster.status()).isEmpty();
    }
}

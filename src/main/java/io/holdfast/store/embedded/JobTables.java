package io.holdfast.store.embedded;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.store.codec.JobJson;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.holdfast.store.embedded.engine.EmbeddedTable.Codec;
import java.util.List;

/**
 * The tables of the job store. They do not raise the format of the file: an older program keeps rows of tables that it
 * does not know. Meanwhile no worker is told of a job, and running ones lose their locks when their leases expire. The
 * conditions of each later change and the janitor handle that.
 *
 * @param workers by worker, the job that it runs
 */
record JobTables(
        EmbeddedTable<Cluster> clusters,
        EmbeddedTable<Job> jobs,
        EmbeddedTable<String> workers,
        EmbeddedJobIndex index) {
    static JobTables create() {
        return new JobTables(
                new EmbeddedTable<>("clusters", Codec.of(JobJson::write, JobJson::readCluster)),
                new EmbeddedTable<>("jobs", Codec.of(JobJson::write, JobJson::readJob)),
                new EmbeddedTable<>("workers", Codec.TEXT),
                EmbeddedJobIndex.create());
    }

    /** The index is published last, so a reader that finds an entry finds the record too. */
    List<EmbeddedTable<?>> all() {
        return List.of(clusters, jobs, workers, index.entries(), index.ends());
    }
}

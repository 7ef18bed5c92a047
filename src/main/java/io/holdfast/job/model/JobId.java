package io.holdfast.job.model;

import io.holdfast.kernel.SortableTime;
import io.holdfast.kernel.Text;
import java.time.Instant;
import java.util.UUID;

/** Identifies a job. Identifiers sort by the time at which their jobs were submitted. */
public record JobId(String value) implements Comparable<JobId> {
    public JobId {
        Text.name("id", value);
    }

    public static JobId newAt(Instant now) {
        var random = UUID.randomUUID().toString();
        return new JobId(SortableTime.text(now) + "-" + random.substring(0, 13));
    }

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}

package io.holdfast.job.port;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.Run;

/** The result of the janitor's look at a running job. */
public sealed interface RescueOutcome {
    /** @param run the run that the janitor has ended */
    record Rescued(Job job, Run run) implements RescueOutcome {}

    /** The run is alive, or has changed since the janitor read it. */
    record Alive() implements RescueOutcome {}
}

package io.holdfast.job.port;

import io.holdfast.job.model.JobError;
import io.holdfast.job.model.Run;
import java.util.Optional;

/** What a worker reports at the end of its run. */
public sealed interface Finish {
    /** @param result a JSON object */
    record Complete(Optional<String> result) implements Finish {}

    /** @param retryable whether another attempt may succeed */
    record Fail(JobError error, boolean retryable) implements Finish {}

    /** How the run ends with this report. */
    default Run.Result runResult() {
        return switch (this) {
            case Complete complete -> Run.Result.COMPLETED;
            case Fail fail -> Run.Result.FAILED;
        };
    }
}

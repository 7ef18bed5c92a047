package io.holdfast.job.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.util.Optional;
import java.util.regex.Pattern;

/** Why a run or a job ended without success. */
public record JobError(String code, Optional<String> message) {
    public static final int MESSAGE_LENGTH_MAX = 1024;

    /** The cluster's status did not allow the job when its turn came. */
    public static final String ILLEGAL_STATE = "ILLEGAL_STATE";

    /** A destroy was submitted, so the queued change of the cluster is pointless. */
    public static final String SUPERSEDED = "SUPERSEDED";

    /** Another active cluster has the name of this one. */
    public static final String NAME_TAKEN = "NAME_TAKEN";

    /** The worker sent no heartbeat until its lease had expired. */
    public static final String WORKER_TIMEOUT = "WORKER_TIMEOUT";

    /** The run did not end by its deadline. */
    public static final String DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED";

    /** The job was running, but its worker did not hold the lock of the cluster. */
    public static final String LOCK_STATE_LOST = "LOCK_STATE_LOST";

    /** An operator cancelled the job. */
    public static final String CANCELLED = "CANCELLED";

    private static final Pattern CODE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public JobError {
        if (code == null || !CODE.matcher(code).matches()) {
            throw new InvalidInputException("error_code", "1 to 64 characters of A-Z a-z 0-9 . _ -");
        }
        message.ifPresent(text -> Text.words("message", text, MESSAGE_LENGTH_MAX));
    }

    public static JobError of(String code, String message) {
        return new JobError(code, Optional.of(message));
    }
}

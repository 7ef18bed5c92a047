package io.holdfast.job.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.util.Optional;

/** What a worker reports about its run. */
public record Progress(Optional<Integer> percent, Optional<String> message) {
    public static final int MESSAGE_LENGTH_MAX = 256;

    /** Completes a sentence after "must be". */
    public static final String PERCENT_ALLOWED = "a whole number from 0 to 100";

    public Progress {
        percent.ifPresent(value -> {
            if (value < 0 || value > 100) {
                throw new InvalidInputException("progress.percent", PERCENT_ALLOWED);
            }
        });
        message.ifPresent(text -> Text.words("progress.message", text, MESSAGE_LENGTH_MAX));
    }
}

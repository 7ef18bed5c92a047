package io.holdfast.lifecycle.port;

import java.util.Optional;

/**
 * What a rule has decided.
 *
 * @param outcome the answer if the change is written, or if there is none
 */
public record Decision(WriteOutcome outcome, Optional<StatusChange> change) {
    static Decision refused(WriteOutcome outcome) {
        return new Decision(outcome, Optional.empty());
    }
}

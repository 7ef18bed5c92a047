package io.holdfast.cli.api;

import java.time.Duration;

/**
 * How long answers may take.
 *
 * @param isExplicit whether the user has set it; then it also limits requests that usually take longer
 */
public record Timeouts(Duration answerMax, boolean isExplicit) {
    /** For a request that waits for something else, such as a database that stops. */
    Duration forSlow(Duration longer) {
        return isExplicit ? answerMax : answerMax.plus(longer);
    }
}

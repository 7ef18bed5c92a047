package io.holdfast.cli.api;

import java.time.Duration;

/**
 * How long answers may take.
 *
 * @param isChosen whether somebody has said so; then even what usually takes longer may not
 */
public record Patience(Duration answerMax, boolean isChosen) {
    /** For what has to wait for others, such as a database that stops. */
    Duration forSlow(Duration longer) {
        return isChosen ? answerMax : answerMax.plus(longer);
    }
}

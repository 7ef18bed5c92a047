package io.holdfast.cli.base;

import io.holdfast.cli.output.Output;
import io.holdfast.http.wire.Times;
import io.holdfast.kernel.InvalidInputException;
import java.time.Duration;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration that the user has typed or set, such as {@code 90s} or {@code 1h30m}. */
public final class DurationArgument {
    /** Limits durations, so that sums of them do not overflow. */
    private static final Duration MAX = Duration.ofDays(3650);

    /** Splits a duration such as 1h30m into its units. */
    private static final String UNITS = "(?<=[a-z])(?=[0-9])";

    private DurationArgument() {}

    /** @throws TypeConversionException with a sentence that has no end mark */
    public static Duration parse(String text) {
        try {
            var duration = Duration.ZERO;
            for (var part : text.split(UNITS)) {
                duration = duration.plus(Times.duration("It", part));
            }
            if (duration.compareTo(MAX) > 0) {
                throw new TypeConversionException("'%s' is longer than %d days".formatted(text, MAX.toDays()));
            }
            return duration;
        } catch (InvalidInputException e) {
            throw new TypeConversionException("'" + Output.oneLine(text) + "' is not " + e.allowed());
        }
    }
}

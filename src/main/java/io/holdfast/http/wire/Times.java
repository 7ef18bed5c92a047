package io.holdfast.http.wire;

import io.holdfast.kernel.InvalidInputException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** Formats times and parses durations. */
public final class Times {
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    /** How a duration is written in JSON, readable after "must be". */
    public static final String JSON_FORMS = "a duration in quotes, such as \"30s\", \"5m\" or \"PT30S\"";

    private static final Pattern SHORT = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
    private static final Pattern ISO = Pattern.compile("P(?=.)[0-9.DTHMS]{1,30}");

    private Times() {}

    /** RFC 3339, UTC, milliseconds. */
    public static String text(Instant instant) {
        return MILLIS.format(instant);
    }

    /** RFC 3339, UTC, seconds: for sentences. */
    public static String sentence(Instant instant) {
        return SECONDS.format(instant);
    }

    /** {@code 250ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d} or ISO-8601 such as {@code PT30S}. */
    public static Duration duration(String field, String text) {
        var shortForm = SHORT.matcher(text);
        if (shortForm.matches()) {
            return Duration.of(Long.parseLong(shortForm.group(1)), unit(shortForm.group(2)));
        }
        if (ISO.matcher(text).matches()) {
            try {
                return Duration.parse(text);
            } catch (DateTimeException | ArithmeticException e) {
                throw malformed(field);
            }
        }
        throw malformed(field);
    }

    private static InvalidInputException malformed(String field) {
        return new InvalidInputException(field, "a duration such as 250ms, 30s, 5m, 2h or PT30S");
    }

    private static ChronoUnit unit(String suffix) {
        return switch (suffix) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }
}

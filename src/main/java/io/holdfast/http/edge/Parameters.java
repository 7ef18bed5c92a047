package io.holdfast.http.edge;

import io.holdfast.http.wire.Times;
import io.holdfast.kernel.InvalidInputException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Parses query parameters and text fields. */
public final class Parameters {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]+");

    private static final BigInteger INT_MIN = BigInteger.valueOf(Integer.MIN_VALUE);
    private static final BigInteger INT_MAX = BigInteger.valueOf(Integer.MAX_VALUE);

    private Parameters() {}

    public static <T> Optional<T> optional(String value, Function<String, T> parse) {
        return Optional.ofNullable(value).map(parse);
    }

    public static String required(String name, String value) {
        if (value == null) {
            throw new InvalidInputException(name, "given");
        }
        return value;
    }

    public static Optional<Duration> duration(String name, String value) {
        return optional(value, text -> Times.duration(name, text));
    }

    public static boolean flag(String name, String value) {
        return switch (value) {
            case null -> false;
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidInputException(name, "true or false");
        };
    }

    /** @param allowed readable after "must be" */
    public static long number(String name, String value, String allowed) {
        try {
            if (WHOLE_NUMBER.matcher(required(name, value)).matches()) {
                return Long.parseLong(value);
            }
        } catch (NumberFormatException tooLarge) {
            // Refused below, as a text that is no number.
        }
        throw new InvalidInputException(name, allowed);
    }

    /** A number beyond the range of int becomes the largest or smallest int, which the range of the endpoint refuses. */
    public static int smallNumber(String name, String value) {
        if (!WHOLE_NUMBER.matcher(required(name, value)).matches()) {
            throw new InvalidInputException(name, "a whole number");
        }
        return new BigInteger(value).min(INT_MAX).max(INT_MIN).intValue();
    }

    public static <T> T present(T body) {
        if (body == null) {
            throw new InvalidInputException("body", "a JSON object");
        }
        return body;
    }
}

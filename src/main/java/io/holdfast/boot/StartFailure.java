package io.holdfast.boot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.kernel.CannotStartException;
import io.holdfast.kernel.KnownSettings;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The reason why the service did not start: one sentence for each wrong setting. */
final class StartFailure {
    /** Messages of SmallRye Config about a value that it cannot convert: key, value, reason. */
    private static final Pattern NOT_CONVERTED = Pattern.compile(
            "SRCFG00039: The config property (\\S+) with the config value \"(.*)\" threw an Exception whilst being"
                    + " converted (.*)",
            Pattern.DOTALL);

    private static final Pattern EMPTY =
            Pattern.compile("SRCFG00040: The config property (\\S+) is defined as the empty String.*", Pattern.DOTALL);

    private static final Pattern CHOICES = Pattern.compile(".*allowed values: (.*)", Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("SRCFG\\d+: ");
    private static final Pattern TYPE = Pattern.compile("^(?:[\\w$]+\\.)+[\\w$]+(?:Exception|Error): ");

    /** Settings of Quarkus that are set by a variable of Holdfast. */
    private static final Map<String, String> VARIABLES = Map.of("quarkus.shutdown.delay", "HOLDFAST_DRAIN_DELAY");

    private StartFailure() {}

    /** The last line of a program that cannot start, in the format of its log lines. */
    static String line(Throwable failure) {
        var line = "Holdfast cannot start: " + sentence(failure);
        return JsonLog.isOn()
                ? JsonNodeFactory.instance
                        .objectNode()
                        .put("timestamp", Clock.systemUTC().instant().toString())
                        .put("loggerName", "io.holdfast.boot.Main")
                        .put("level", "ERROR")
                        .put("message", line)
                        .toString()
                : line;
    }

    private static String sentence(Throwable failure) {
        var causes = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .toList();
        return first(causes, CannotStartException.class)
                .map(Throwable::getMessage)
                .or(() -> first(causes, ConfigValidationException.class).map(StartFailure::settings))
                .or(() -> first(causes, BindException.class).map(StartFailure::port))
                .orElseGet(() -> message(causes.getLast()));
    }

    private static <T extends Throwable> Optional<T> first(List<Throwable> causes, Class<T> type) {
        return causes.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    private static String settings(ConfigValidationException invalid) {
        return IntStream.range(0, invalid.getProblemCount())
                .mapToObj(i -> setting(invalid.getProblem(i).getMessage()))
                .distinct()
                .sorted()
                .collect(Collectors.joining(" "));
    }

    static String setting(String problem) {
        var empty = EMPTY.matcher(problem);
        if (empty.find()) {
            return empty.group(1) + " is empty: give " + variable(empty.group(1)) + " a value, or remove it.";
        }
        var wrong = NOT_CONVERTED.matcher(problem);
        if (wrong.find()) {
            return "%s must be %s, not '%s': set %s."
                    .formatted(wrong.group(1), expected(wrong.group(3)), wrong.group(2), variable(wrong.group(1)));
        }
        return plain(problem);
    }

    /** @param reason the message of the converter */
    private static String expected(String reason) {
        var choices = CHOICES.matcher(reason);
        if (choices.matches()) {
            return choices.group(1).replace(",", " or ");
        }
        if (reason.contains("duration")) {
            return "a duration such as 250ms, 30s, 5m, 24h or PT30S";
        }
        if (reason.contains("integer value") || reason.contains("long value")) {
            return "a whole number in range";
        }
        if (reason.contains("[BbKkMm")) {
            return "a size such as 512, 64K or 1M";
        }
        return "usable (" + plain(reason) + ")";
    }

    private static String port(BindException bind) {
        return "The port cannot be used (" + plain(String.valueOf(bind.getMessage()))
                + "): set QUARKUS_HTTP_PORT to a free port, and QUARKUS_HTTP_HOST to an address of this machine.";
    }

    private static String message(Throwable root) {
        return root.getMessage() == null ? root.toString() : plain(root.getMessage());
    }

    /** Without error codes and class names. */
    private static String plain(String text) {
        return TYPE.matcher(CODE.matcher(text).replaceAll("")).replaceAll("").strip();
    }

    /** The environment variable that sets the key. */
    private static String variable(String key) {
        return VARIABLES.getOrDefault(key, KnownSettings.variable(key));
    }
}

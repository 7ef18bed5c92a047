package io.holdfast.telemetry.log;

import java.util.regex.Pattern;

/** A value in a log line. Quoted if it contains characters that separate keys and values. */
final class LogValue {
    private static final Pattern PLAIN = Pattern.compile("[\\x21-\\x7e&&[^\"=\\\\]]+");

    private LogValue() {}

    static String of(Object value) {
        var text = String.valueOf(value);
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}

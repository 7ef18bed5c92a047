package io.holdfast.access.audit;

import java.util.Locale;
import java.util.Optional;

/** A record as one line of JSON in ASCII. A name with control or bidirectional characters cannot forge or hide a line. */
final class AuditLine {
    /** A longer value is cut. Inputs have lower limits; this one bounds the line in any case. */
    static final int VALUE_LENGTH_MAX = 4096;

    private static final String CUT = "...";

    private final StringBuilder line = new StringBuilder("{");

    private AuditLine() {}

    static String of(AuditRecord written) {
        var line = new AuditLine();
        line.add("time", written.time().toString());
        line.add("request_id", written.origin().requestId());
        line.add("subject", written.origin().subject());
        line.add("source", written.origin().source());
        line.add("action", written.deed().action());
        line.add("resource", written.deed().resource());
        line.add("outcome", written.outcome().name().toLowerCase(Locale.ROOT));
        line.add("code", written.code());
        written.deed().token().ifPresent(token -> line.key("token").append(token));
        line.add("reason", written.reason());
        return line.line.append('}').toString();
    }

    private void add(String key, Optional<String> value) {
        value.ifPresent(text -> add(key, text));
    }

    private void add(String key, String value) {
        key(key).append('"');
        value.chars().limit(VALUE_LENGTH_MAX).forEach(this::escape);
        line.append(value.length() > VALUE_LENGTH_MAX ? CUT : "").append('"');
    }

    private StringBuilder key(String key) {
        return line.append(line.length() > 1 ? "," : "").append('"').append(key).append("\":");
    }

    private void escape(int character) {
        if (character == '"' || character == '\\') {
            line.append('\\').append((char) character);
        } else if (character >= ' ' && character <= '~') {
            line.append((char) character);
        } else {
            line.append("\\u%04x".formatted(character));
        }
    }
}

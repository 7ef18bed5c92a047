package io.holdfast.contract;

import java.util.ArrayList;
import java.util.regex.Pattern;

/** Paths as the service routes them, and as the contract writes them. */
final class Paths {
    private static final Pattern PARAMETER = Pattern.compile("\\{[^}]+}");
    private static final Pattern ENCODED_DOT = Pattern.compile("%2e", Pattern.CASE_INSENSITIVE);

    private Paths() {}

    /** The path of a request without its query, without empty segments and without dots for segments. */
    static String normalized(String target) {
        var segments = new ArrayList<String>();
        for (var segment :
                ENCODED_DOT.matcher(target.split("\\?", 2)[0]).replaceAll(".").split("/")) {
            if (segment.equals("..") && !segments.isEmpty()) {
                segments.removeLast();
            } else if (!segment.isEmpty() && !segment.equals(".") && !segment.equals("..")) {
                segments.add(segment);
            }
        }
        return "/" + String.join("/", segments);
    }

    /** @param template with the names of its parameters in braces */
    static boolean matches(String template, String path) {
        var literals = PARAMETER.split(template, -1);
        var pattern = new StringBuilder(Pattern.quote(literals[0]));
        for (var i = 1; i < literals.length; i++) {
            pattern.append("[^/]+").append(Pattern.quote(literals[i]));
        }
        return path.matches(pattern.toString());
    }
}

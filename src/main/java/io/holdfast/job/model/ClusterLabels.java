package io.holdfast.job.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The labels of a cluster, or the labels that a worker asks for. */
public record ClusterLabels(Map<String, String> all) {
    public static final int ENTRIES_MAX = 8;
    public static final int KEY_LENGTH_MAX = 64;
    public static final int VALUE_LENGTH_MAX = 128;

    public static final ClusterLabels NONE = new ClusterLabels(Map.of());

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._/-]{1," + KEY_LENGTH_MAX + "}");

    public ClusterLabels {
        if (all.size() > ENTRIES_MAX) {
            throw new InvalidInputException("labels", "at most " + ENTRIES_MAX + " entries");
        }
        all.forEach(ClusterLabels::check);
        all = Collections.unmodifiableMap(new TreeMap<>(all));
    }

    /** Whether a cluster with these labels has all labels that a worker asks for. */
    public boolean include(ClusterLabels wanted) {
        return wanted.all.isEmpty() || all.entrySet().containsAll(wanted.all.entrySet());
    }

    private static void check(String key, String value) {
        if (!KEY.matcher(key).matches()) {
            throw new InvalidInputException(
                    "labels", "a map whose keys are 1 to " + KEY_LENGTH_MAX + " characters of A-Z a-z 0-9 . _ / -");
        }
        Text.words("labels." + key, value, VALUE_LENGTH_MAX);
    }
}

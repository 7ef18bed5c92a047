package io.holdfast.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A JSON text and what is at a path in it: {@code lock.owner}, {@code results[0].decision}, {@code paths.'/v1/locks'};
 * {@code locks.name} is the name of each. What is not there is null. No script is compiled for a path: that took more
 * time than all the requests together.
 */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern STEP = Pattern.compile("'(?<quoted>[^']*)'|\\[(?<index>\\d+)]|(?<key>[^.\\['$]+)");

    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    public static Json from(String text) {
        try {
            return new Json(MAPPER.readValue(text, Object.class));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("Not JSON: " + text, e);
        }
    }

    static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the caller takes it, or a ClassCastException. */
    @SuppressWarnings("unchecked")
    <T> T get(String path) {
        var at = value;
        var steps = STEP.matcher(path);
        while (steps.find()) {
            if (steps.group("index") != null) {
                at = ((List<?>) at).get(Integer.parseInt(steps.group("index")));
            } else {
                at = step(at, Objects.requireNonNullElse(steps.group("quoted"), steps.group("key")));
            }
        }
        return (T) at;
    }

    public Json at(String path) {
        return new Json(get(path));
    }

    public String getString(String path) {
        return this.<String>get(path);
    }

    public int getInt(String path) {
        return this.<Integer>get(path);
    }

    public long getLong(String path) {
        return this.<Number>get(path).longValue();
    }

    public boolean getBoolean(String path) {
        return this.<Boolean>get(path);
    }

    public <T> List<T> getList(String path) {
        return get(path);
    }

    public <K, V> Map<K, V> getMap(String path) {
        return get(path);
    }

    @Override
    public String toString() {
        return text(value);
    }

    private static Object step(Object at, String key) {
        return switch (at) {
            case null -> null;
            case List<?> all -> all.stream().map(one -> step(one, key)).toList();
            case Map<?, ?> map -> map.get(key);
            default -> throw new IllegalArgumentException("There is no " + key + " in " + at);
        };
    }
}

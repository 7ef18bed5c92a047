package io.holdfast.store.embedded;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON object of strings, numbers, lists of strings and maps of strings. Needs no reflection. */
final class JsonFields {
    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, String> scalars = new HashMap<>();
    private final Map<String, List<String>> lists = new HashMap<>();
    private final Map<String, Map<String, String>> maps = new HashMap<>();

    private JsonFields() {}

    /** Writes the fields of an object. */
    interface Writing {
        void fields(JsonGenerator json) throws IOException;
    }

    static String write(Writing writing) {
        var text = new StringWriter(256);
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            writing.fields(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static void writeMap(JsonGenerator json, String field, Map<String, String> values) throws IOException {
        json.writeObjectFieldStart(field);
        for (var entry : values.entrySet()) {
            json.writeStringField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    static void writeList(JsonGenerator json, String field, Collection<String> values) throws IOException {
        json.writeArrayFieldStart(field);
        for (var value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** @param what the record, for the error sentence */
    static JsonFields read(String what, String text) {
        try (var json = JSON.createParser(text)) {
            var fields = new JsonFields();
            json.nextToken();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                fields.add(json.currentName(), json);
            }
            return fields;
        } catch (IOException e) {
            throw new IllegalStateException("The record of " + what + " is damaged: " + e.getMessage(), e);
        }
    }

    private void add(String field, JsonParser json) throws IOException {
        switch (json.nextToken()) {
            case START_OBJECT -> {
                var map = new HashMap<String, String>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    map.put(json.currentName(), json.nextTextValue());
                }
                maps.put(field, map);
            }
            case START_ARRAY -> {
                var list = new ArrayList<String>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    list.add(json.getText());
                }
                lists.put(field, list);
            }
            default -> scalars.put(field, json.getText());
        }
    }

    Optional<String> maybe(String field) {
        return Optional.ofNullable(scalars.get(field));
    }

    String text(String field) {
        return maybe(field).orElseThrow(() -> new IllegalStateException("A record lacks its " + field + "."));
    }

    long number(String field) {
        return Long.parseLong(text(field));
    }

    List<String> list(String field) {
        return lists.getOrDefault(field, List.of());
    }

    Map<String, String> map(String field) {
        return maps.getOrDefault(field, Map.of());
    }
}

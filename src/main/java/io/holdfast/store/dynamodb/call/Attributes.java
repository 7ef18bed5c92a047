package io.holdfast.store.dynamodb.call;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes and reads the attributes of items. Times are milliseconds since the epoch. */
public final class Attributes {
    public static final String PK = "PK";
    public static final String SK = "SK";

    private Attributes() {}

    public static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    public static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    public static AttributeValue time(Instant value) {
        return number(value.toEpochMilli());
    }

    public static AttributeValue map(Map<String, String> values) {
        return AttributeValue.fromM(values.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> text(entry.getValue()))));
    }

    public static long number(Map<String, AttributeValue> item, String name) {
        return Long.parseLong(item.get(name).n());
    }

    public static Instant time(Map<String, AttributeValue> item, String name) {
        return Instant.ofEpochMilli(number(item, name));
    }

    public static Optional<String> maybeText(Map<String, AttributeValue> item, String name) {
        return Optional.ofNullable(item.get(name)).map(AttributeValue::s);
    }

    public static Optional<Instant> maybeTime(Map<String, AttributeValue> item, String name) {
        return item.containsKey(name) ? Optional.of(time(item, name)) : Optional.empty();
    }
}

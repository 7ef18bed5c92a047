package io.holdfast.store.dynamodb;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes and reads the attributes of items. Times are milliseconds since the epoch. */
final class Attributes {
    static final String PK = "PK";
    static final String SK = "SK";

    private Attributes() {}

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    static AttributeValue time(Instant value) {
        return number(value.toEpochMilli());
    }

    static AttributeValue map(Map<String, String> values) {
        return AttributeValue.fromM(values.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> text(entry.getValue()))));
    }

    static long number(Map<String, AttributeValue> item, String name) {
        return Long.parseLong(item.get(name).n());
    }

    static Instant time(Map<String, AttributeValue> item, String name) {
        return Instant.ofEpochMilli(number(item, name));
    }

    /** The text, or none if the item has no such attribute. */
    static Optional<String> maybeText(Map<String, AttributeValue> item, String name) {
        return Optional.ofNullable(item.get(name)).map(AttributeValue::s);
    }

    /** The time, or none if the item has no such attribute. */
    static Optional<Instant> maybeTime(Map<String, AttributeValue> item, String name) {
        return item.containsKey(name) ? Optional.of(time(item, name)) : Optional.empty();
    }
}

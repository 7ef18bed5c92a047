package io.holdfast.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.tngtech.archunit.core.domain.JavaClass;
import io.holdfast.architecture.Code;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The records that become JSON, by reflection: every record below {@code http.wire}. */
final class WireRecords {
    private static final String SUFFIX = "Body";

    private WireRecords() {}

    /** Those that are not a part of another one, by the names of their schemas. */
    static SortedMap<String, Class<?>> top() {
        var records = new TreeMap<String, Class<?>>();
        Code.MAIN.stream()
                .filter(type -> type.getPackageName().contains(".http.wire") && type.isRecord())
                .filter(JavaClass::isTopLevelClass)
                .map(JavaClass::reflect)
                .forEach(type -> records.put(schemaName(type), type));
        return records;
    }

    /** {@code AcquireBody} is {@code Acquire} in the contract. */
    static String schemaName(Class<?> type) {
        var name = type.getSimpleName();
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    /** @param reference {@code #/components/schemas/Acquire} */
    static String schemaName(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    /** By their names in JSON. */
    static Map<String, RecordComponent> fields(Class<?> type) {
        var fields = new LinkedHashMap<String, RecordComponent>();
        for (var component : type.getRecordComponents()) {
            // Jackson's annotations go to the accessor, since they have no place on a record component.
            var renamed = component.getAccessor().getAnnotation(JsonProperty.class);
            fields.put(renamed == null ? component.getName() : renamed.value(), component);
        }
        return fields;
    }

    /** Whether a field that is null is left out of the JSON. */
    static boolean omitsNull(Class<?> type) {
        var include = type.getAnnotation(JsonInclude.class);
        return include != null && include.value() == JsonInclude.Include.NON_NULL;
    }
}

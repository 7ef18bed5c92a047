package io.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.ValidationMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Validates values against the schemas of the contract, as JSON Schema 2020-12. A field that a schema does not name is
 * refused, also where the contract lets answers get more fields. Thread-safe.
 */
final class Schemas {
    private static final String COMPONENTS = "components";

    private static final JsonSchemaFactory FACTORY = factory();
    private static final SchemaValidatorsConfig CONFIG =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    private final ObjectNode components;
    private final Map<JsonNode, JsonSchema> compiled = new ConcurrentHashMap<>();

    Schemas(OpenApi contract) {
        this.components = closed(contract.root().required(COMPONENTS).deepCopy());
    }

    /** What is wrong with the value; nothing if it is valid. */
    List<String> violations(JsonNode schema, JsonNode value) {
        return compiled.computeIfAbsent(schema, this::compile).validate(value).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    private static JsonSchemaFactory factory() {
        var known = JsonMetaSchema.builder(JsonMetaSchema.getV202012())
                .keyword(new NonValidationKeyword(COMPONENTS))
                .build();
        return JsonSchemaFactory.builder()
                .metaSchema(known)
                .defaultMetaSchemaIri(known.getIri())
                .build();
    }

    private JsonSchema compile(JsonNode schema) {
        var root = closed(schema.deepCopy());
        root.set(COMPONENTS, components);
        return FACTORY.getSchema(root, CONFIG);
    }

    /** A schema that refers to another one only narrows the fields which that one names. */
    private static ObjectNode closed(ObjectNode schema) {
        if (schema.path("properties").isObject() && schema.path("type").asText().equals("object")) {
            schema.put("additionalProperties", false);
        }
        schema.forEach(Schemas::close);
        return schema;
    }

    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object) {
            closed(object);
        } else {
            node.forEach(Schemas::close);
        }
    }
}

package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract agrees with itself, with its copy in JSON, and with the documentation. */
class ContractTest {
    /** What any request can be answered, said once in the description of the contract. */
    private static final Set<String> ANYWHERE = Set.of("404 not-found", "405 method-not-allowed", "500 internal-error");

    private static final Pattern CODE_ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (\\d{3}) \\|");
    private static final Path OPERATIONS = Path.of("docs/operations.md");

    private final OpenApi contract = OpenApi.contract();

    /** {@code make contract} writes the JSON anew. */
    @Test
    void theJsonSaysWhatTheYamlSays() throws IOException {
        var file = OpenApi.FOLDER.resolve("openapi.json");
        var derived = json(contract.root());
        if (Boolean.getBoolean("contract.write")) {
            Files.writeString(file, derived);
        }

        assertThat(Files.readString(file).equals(derived))
                .as("openapi.json is what `make contract` derives from openapi.yaml")
                .isTrue();
    }

    @Test
    void everyReferenceLeadsToAComponentAndEveryComponentIsUsed() {
        var used = new TreeSet<String>();
        contract.root().findValuesAsText("$ref").forEach(used::add);
        var components = new TreeSet<String>();
        for (var kind : contract.root().required("components").properties()) {
            kind.getValue().fieldNames().forEachRemaining(name -> components.add(reference(kind.getKey(), name)));
        }

        assertThat(used).isEqualTo(components);
    }

    @Test
    void everyOperationHasAnIdOfItsOwnASummaryAndATagThatIsDescribed() {
        var tags = contract.root().required("tags").findValuesAsText("name");
        var operations = new ArrayList<JsonNode>();
        contract.root().required("paths").forEach(path -> path.forEach(operations::add));

        assertThat(operations)
                .extracting(operation -> operation.path("operationId").asText())
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id).matches("[a-z][A-Za-z]+"));
        assertThat(operations).allSatisfy(operation -> {
            assertThat(operation.path("summary").asText()).isNotBlank().doesNotEndWith(".");
            assertThat(operation.path("tags")).singleElement().satisfies(tag -> assertThat(tags)
                    .contains(tag.asText()));
        });
    }

    @Test
    void thePathParametersAreThoseOfThePath() {
        assertThat(contract.operations()).allSatisfy(operation -> {
            var inPath = operation.parameters().stream()
                    .filter(parameter -> parameter.required("in").textValue().equals("path"))
                    .toList();

            assertThat(inPath)
                    .allSatisfy(parameter ->
                            assertThat(parameter.path("required").asBoolean()).isTrue());
            assertThat(inPath)
                    .extracting(parameter -> parameter.required("name").textValue())
                    .containsExactlyElementsOf(braced(operation.path()));
        });
    }

    @Test
    void everyExampleAndEveryDefaultIsValid() {
        var invalid = new ArrayList<String>();

        var count = examples(contract.root(), new Schemas(contract), invalid);

        assertThat(invalid).isEmpty();
        assertThat(count).isGreaterThan(100);
    }

    /** {@code DocsTest} compares the page with the code. */
    @Test
    void theCodesAreThoseOfTheDocumentation() throws IOException {
        var documented = new TreeSet<String>();
        var rows = CODE_ROW.matcher(Files.readString(OPERATIONS));
        while (rows.find()) {
            documented.add(rows.group(2) + " " + rows.group(1));
        }
        var declared = new TreeSet<>(ANYWHERE);
        contract.operations()
                .forEach(operation -> operation.responses().forEach((status, response) -> ProblemCodes.of(response)
                        .forEach(code -> declared.add(status + " " + code))));
        var known = new TreeSet<String>();
        contract.schemas().at("/Problem/properties/code/enum").forEach(code -> known.add(code.textValue()));

        assertThat(declared).isEqualTo(documented);
        assertThat(declared.stream().map(code -> code.substring("404 ".length())))
                .containsOnlyOnceElementsOf(known);
        assertThat(known).hasSize(declared.size());
    }

    /**
     * Looks for examples of media types and parameters, which have a schema beside them, and for those of schemas
     * themselves.
     *
     * @return how many there are
     */
    private static int examples(JsonNode node, Schemas schemas, List<String> invalid) {
        var found = new ArrayList<JsonNode>();
        var schema = node.has("schema") ? node.get("schema") : node;
        node.path("examples").forEach(example -> found.add(node.has("schema") ? example.required("value") : example));
        Stream.of("example", "default").filter(node::has).map(node::get).forEach(found::add);
        for (var example : found) {
            schemas.violations(schema, example).forEach(violation -> invalid.add(example + ": " + violation));
        }
        return found.size()
                + node.valueStream()
                        .mapToInt(child -> examples(child, schemas, invalid))
                        .sum();
    }

    private static List<String> braced(String path) {
        return Pattern.compile("\\{([^}]+)}")
                .matcher(path)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String reference(String kind, String name) {
        return "#/components/" + kind + "/" + name;
    }

    private static String json(JsonNode node) throws JsonProcessingException {
        var printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter(" ", "\n"));
        return new ObjectMapper().writer(printer).writeValueAsString(node) + "\n";
    }
}

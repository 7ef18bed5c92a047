package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table in {@code docs/access.md} says what each operation needs. */
class AccessTableTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z]+ /[^`]*)` \\| (.+) \\|$");

    private static final Map<String, String> RULES =
            Map.of("open", "no token", "authenticated", "any accepted token", "admin", "`admin`");

    private static final Map<String, String> NAMES = Map.of(
            "path", "on the name in the path",
            "query", "on the name in the query",
            "body", "on each name in the body",
            "list", "on each name in the query",
            "job", "on the cluster of the job",
            "each", "on what is answered");

    @Test
    void theTableHasEveryOperationWithWhatItNeeds() throws IOException {
        var documented = ROW.matcher(Files.readString(Path.of("docs/access.md")))
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
        var declared = OpenApi.contract().operations().stream()
                .collect(Collectors.toMap(OpenApi.Operation::toString, operation -> words(operation.access())));

        assertThat(documented).isEqualTo(declared);
    }

    private static String words(JsonNode rule) {
        if (rule.isTextual()) {
            return RULES.get(rule.textValue());
        }
        var action = rule.required("action");
        var actions = (action.isArray() ? action.valueStream() : Stream.of(action))
                .map(word -> "`" + word.textValue() + "`")
                .collect(Collectors.joining(" or "));
        var from = rule.required("name").textValue().split(" ")[0];
        return "%s, %s: %s".formatted(actions, rule.required("kind").textValue(), NAMES.get(from));
    }
}

package io.holdfast.http.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract is not accepted unless each operation declares what it needs of its caller. */
class ContractAccessTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"opened\"",
                "\"\"",
                "true",
                "{}",
                "{\"action\":\"read\",\"kind\":\"lock\",\"name\":\"path name\"}",
                "{\"action\":\"submit\",\"kind\":\"locks\",\"name\":\"path name\"}",
                "{\"action\":[],\"kind\":\"locks\",\"name\":\"path name\"}",
                "{\"action\":\"read\",\"kind\":\"locks\"}",
                "{\"action\":\"read\",\"kind\":\"locks\",\"name\":\"path\"}",
                "{\"action\":\"read\",\"kind\":\"locks\",\"name\":\"path id\"}",
                "{\"action\":\"read\",\"kind\":\"locks\",\"name\":\"query prefix\"}",
                "{\"action\":[\"read\",\"force\"],\"kind\":\"locks\",\"name\":\"each\"}",
                "{\"action\":\"read\",\"kind\":\"locks\",\"name\":\"header name\"}"
            })
    void anythingElseThanARuleIsRefused(String rule) {
        assertThatThrownBy(() -> read("\"x-access\":" + rule))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("GET /v1/locks/{name} in contract/openapi.yaml has an x-access ");
    }

    @Test
    void anOperationWithoutARuleIsRefused() {
        assertThatThrownBy(() -> read("\"summary\":\"A lock\""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("GET /v1/locks/{name} in contract/openapi.yaml has no x-access.");
    }

    /** It is let through by its exact path. */
    @Test
    void anOpenOperationHasNoPathParameters() {
        assertThatThrownBy(() -> read("\"x-access\":\"open\"")).hasMessageContaining("is open");
    }

    @Test
    void aRuleNamesTheActionsTheKindAndTheParameter() {
        assertThat(read("\"x-access\":{\"action\":[\"acquire\",\"force\"],\"kind\":\"locks\",\"name\":\"path name\"}"))
                .isEqualTo(new AccessRule.OnName(
                        List.of(Action.ACQUIRE, Action.FORCE), ResourceKind.LOCKS, AccessRule.Source.PATH, "name"));
        assertThat(read("\"x-access\":{\"action\":\"read\",\"kind\":\"locks\",\"name\":\"each\"}"))
                .isEqualTo(new AccessRule.OnNames(Action.READ, ResourceKind.LOCKS));
    }

    private static AccessRule read(String field) {
        return Contract.operations(json("{\"paths\":{\"/v1/locks/{name}\":{\"get\":{%s}}}}".formatted(field)))
                .get("GET /v1/locks/{name}")
                .access();
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":NaN}",
                "{\"a\":\"\\ud800\"}",
                "{\"\\udc00\":1}",
                "{\"a\":{\"b\":[\"\\ud800x\"]}}",
            })
    void whatIsNotOneObjectOfWholeCharactersIsRejected(String text) {
        assertThat(new StrictJson().object(text)).isEmpty();
    }

    @Test
    void whatIsNestedTooDeeplyIsRejected() {
        assertThat(new StrictJson().object("{\"a\":" + "[".repeat(5000) + "]".repeat(5000) + "}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.100000000000000000010", "1.10", "123456789012345678901234567890", "1E+400", "\"\uD83D\uDE00\""
            })
    void aValueIsKeptAsItIs(String value) {
        assertThat(new StrictJson().object("{\"a\":" + value + "}"))
                .hasValueSatisfying(json -> assertThat(json.toString()).isEqualTo("{\"a\":" + value + "}"));
    }
}

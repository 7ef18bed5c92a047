package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Here the contract is generated; what is shipped must be the same. {@code make contract} writes it anew. */
@OnQuarkus
@QuarkusTest
class ContractTest {
    private static final Path SHIPPED = Path.of("src/main/resources/contract");

    @ParameterizedTest
    @ValueSource(strings = {"yaml", "json"})
    void whatIsShippedIsWhatTheEndpointsSay(String format) throws IOException {
        var file = SHIPPED.resolve("openapi." + format);
        var generated = Calls.get("/q/openapi?format=" + format).expect(200).asString();
        if (Boolean.getBoolean("contract.write")) {
            Files.writeString(file, generated);
        }

        assertThat(generated).contains("/v1/locks/{name}").isEqualTo(Files.readString(file));
    }
}

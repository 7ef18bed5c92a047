package io.holdfast.http;

import static io.holdfast.http.Refusals.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Test;

/** The same of the packaged program. */
@QuarkusIntegrationTest
class LockApiIT extends LockApiTest {
    /** In other tests the contract is the one that is generated. */
    @Test
    void theContractRefusesWhatItDoesNotKnowToo() {
        var misspelt = Calls.get("/q/openapi?fromat=json");

        assertInvalid(misspelt, "fromat");
        assertThat(misspelt.<String>path("detail")).contains("did you mean format?");
        assertInvalid(Calls.get("/q/openapi?format="), "format");
        assertInvalid(Calls.get("/q/openapi?format=xml"), "format");
        assertInvalid(Calls.call("GET", "/q/openapi", "{}"), "body");
    }
}

package io.holdfast.cli.doctor;

import static io.holdfast.cli.CliCalls.parsed;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.OddServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Examining the service and the way to it. */
public interface DoctorFacts extends CliCalls {
    @Test
    default void aServiceThatIsWellIsSaidToBe() {
        var result = holdfastWith(Map.of("HOLDFAST_OWNER", "ci-42"), "doctor");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines())
                .allMatch(line -> line.matches("(ok|warning) +\\S.*"))
                .anyMatch(line ->
                        line.matches("ok +server +http://localhost:[0-9]+ \\(HOLDFAST_URL\\) answers in [0-9]+ ms"))
                .anyMatch(line -> line.matches("ok +store +.*UP"))
                .anyMatch(line -> line.matches("ok +owner +ci-42"));
    }

    @Test
    default void forProgramsItIsOneObject() {
        var found = json("doctor", "--timeout", "1m");

        assertThat(found.path("status").asText()).isIn("ok", "warning");
        assertThat(found.path("server_source").asText()).isEqualTo("HOLDFAST_URL");
        assertThat(found.path("timeout_ms").asLong()).isEqualTo(60_000);
        assertThat(found.path("client_version").asText()).isNotEmpty();
        assertThat(found.path("round_trip_ms").isNumber()).isTrue();
    }

    @Test
    default void aServerThatIsDownIsAProblem() {
        var server = "http://127.0.0.1:1";

        var result = holdfast("doctor", "--server", server, "-o", "json");

        assertThat(result.exit()).as(result.toString()).isEqualTo(4);
        assertThat(result.err()).isEmpty();
        var found = parsed(result.out());
        assertThat(found.path("status").asText()).isEqualTo("problem");
        assertThat(found.at("/findings/0/detail").asText()).startsWith(server + " cannot be reached");
    }

    @Test
    default void aServerThatIsNotHoldfastIsAProblem() {
        try (var other = new OddServer().answering("/", 200, "text/html", "<h1>It works!</h1>")) {
            var result = holdfast("doctor", "--server", other.url());

            assertThat(result.exit()).as(result.toString()).isEqualTo(4);
            assertThat(result.out())
                    .containsPattern(
                            "(?m)^problem +server +" + other.url() + " answers, but the answer is not from Holdfast.$");
        }
    }
}

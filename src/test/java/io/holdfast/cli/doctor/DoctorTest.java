package io.holdfast.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliCalls;
import io.holdfast.cli.Jwts;
import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.Version;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor says of services that are not as they should be. */
class DoctorTest {
    private static final String UP =
            "{\"status\":\"UP\",\"checks\":[{\"name\":\"Graceful Shutdown\",\"status\":\"UP\"},"
                    + "{\"name\":\"store\",\"status\":\"UP\"}]}";

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final OddServer service = new OddServer();
    private InstantSource clock = InstantSource.fixed(NOON);

    @BeforeEach
    void isWell() {
        service.answering("/q/health/ready", UP).answering("/v1/about", about("2026-01-05T12:00:00.000Z"));
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void aServiceThatTellsOfItselfIsKnownInFull() {
        var result = run(Map.of());

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.out().lines().map(line -> line.split(" +")[0] + " " + line.split(" +")[1]))
                .containsExactly(
                        "ok server",
                        "ok version",
                        "ok clock",
                        "ok Graceful",
                        "ok store",
                        "ok limits",
                        "ok token",
                        "ok output",
                        "ok timeout",
                        "ok owner");
        assertThat(result.out()).contains("dynamodb UP", "ttl_max 1d00h, max_clock_skew 1.0s, body_max 65536");
        assertThat(json(Map.of()).path("limits").path("body_max").asInt()).isEqualTo(65_536);
    }

    /** A round trip here takes less than a minute, and more than nothing. */
    @ParameterizedTest
    @CsvSource({
        "2026-01-05T12:00:00.900Z, ok, ''",
        "2026-01-05T12:10:00.000Z, warning, ahead of",
        "2026-01-05T11:50:00.000Z, warning, behind",
    })
    void aClockThatIsFarOffIsAWarning(String time, String level, String words) {
        service.answering("/v1/about", about(time));

        var result = run(Map.of());

        assertThat(result.exit()).isZero();
        assertThat(line(result, "clock")).startsWith(level).contains(words);
        assertThat(Duration.ofMillis(json(Map.of()).path("clock_offset_ms").asLong()))
                .isBetween(
                        Duration.between(NOON, Instant.parse(time)).minusSeconds(30),
                        Duration.between(NOON, Instant.parse(time)));
    }

    @Test
    void withoutAnAboutTheHeadOfAnAnswerTellsTheTime() {
        service.answering("/v1/about", 404, "application/problem+json", "{\"code\":\"not-found\",\"detail\":\"No.\"}");

        var late = json(Map.of());
        assertThat(late.path("clock_offset_ms").asLong()).isGreaterThan(60_000);
        assertThat(line(run(Map.of()), "clock")).startsWith("warning").contains("ahead of");

        clock = Clock.systemUTC();
        var result = run(Map.of());
        assertThat(result.exit()).isZero();
        assertThat(line(result, "clock")).startsWith("ok").contains("within");
        assertThat(line(result, "version")).startsWith("warning").contains("does not report its version");
    }

    @Test
    void everyProblemOfTheStoreIsShown() {
        service.answering(
                "/q/health/ready",
                503,
                OddServer.JSON,
                "{\"status\":\"DOWN\",\"checks\":[{\"name\":\"store\",\"status\":\"DOWN\",\"data\":"
                        + "{\"problem_1\":\"The table is gone.\",\"problem_2\":\"The clock is off.\"}}]}");

        var result = run(Map.of());

        assertThat(result.exit()).isEqualTo(4);
        assertThat(result.out())
                .containsPattern("(?m)^problem +store +The table is gone.$")
                .containsPattern("(?m)^problem +store +The clock is off.$")
                .doesNotContain("not ready");
        assertThat(json(Map.of()).path("status").asText()).isEqualTo("problem");
    }

    /** A replica that serves while its store is away: it is ready, and no change would be taken. */
    @Test
    void aStoreThatIsAwayIsAProblemAlsoIfTheReplicaIsReady() {
        service.answering(
                        "/q/health/ready", "{\"status\":\"UP\",\"checks\":[{\"name\":\"replica\",\"status\":\"UP\"}]}")
                .answering(
                        "/q/health/group/store",
                        503,
                        OddServer.JSON,
                        "{\"status\":\"DOWN\",\"checks\":[{\"name\":\"store\",\"status\":\"DOWN\",\"data\":"
                                + "{\"problem_1\":\"DynamoDB does not answer.\"}}]}");

        var result = run(Map.of());

        assertThat(result.exit()).isEqualTo(4);
        assertThat(line(result, "replica")).startsWith("ok");
        assertThat(result.out()).containsPattern("(?m)^problem +store +DynamoDB does not answer.$");
    }

    @Test
    void aStoreThatBothChecksTellOfIsShownOnce() {
        service.answering(
                "/q/health/group/store", "{\"status\":\"UP\",\"checks\":[{\"name\":\"store\",\"status\":\"UP\"}]}");

        assertThat(run(Map.of()).out().lines().filter(line -> line.matches("ok +store .*")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            {"status":"DOWN","checks":[{"name":"Graceful Shutdown","status":"DOWN"}]} | Graceful Shutdown +DOWN
            {"status":"DOWN","checks":[]}                                             | store +the service reports that .*
            """)
    void aServiceThatIsNotReadyIsUnavailableWhateverTheReason(String health, String line) {
        service.answering("/q/health/ready", 503, OddServer.JSON, health);

        var result = run(Map.of());

        assertThat(result.exit()).isEqualTo(4);
        assertThat(result.out()).containsPattern("(?m)^problem +" + line + "$");
    }

    @Test
    void whereHealthIsHiddenItIsOnlyNotKnown() {
        service.answering("/q/health/ready", 404, "text/html", "no");

        var result = run(Map.of());

        assertThat(result.exit()).isZero();
        assertThat(line(result, "store")).startsWith("warning").contains("answered 404");
    }

    @Test
    void anotherVersionIsAWarning() {
        service.answering("/v1/about", about("2026-01-05T12:00:00.000Z").replace(Version.number(), "99.1"));

        assertThat(line(run(Map.of()), "version")).startsWith("warning").contains("99.1 at the service");
    }

    @Test
    void aMisspeltVariableIsAWarningHereAndAtTheService() {
        service.answering(
                "/v1/about",
                about("2026-01-05T12:00:00.000Z")
                        .replaceFirst(
                                "}}$",
                                "},\"unknown_settings\":[{\"name\":\"HOLDFAST_STROE\",\"nearest\":\"HOLDFAST_STORE\"},"
                                        + "{\"name\":\"HOLDFAST_ELEPHANTS\"}]}"));

        var result = run(Map.of("HOLDFAST_ONWER", "ci-42", "HOLDFAST_SERVICE_PORT_HTTP", "8080"));

        assertThat(result.exit()).isZero();
        assertThat(result.out().lines().filter(line -> line.matches("\\w+ +settings .*")))
                .map(line -> line.replaceAll(" +", " "))
                .containsExactly(
                        "warning settings at the service: HOLDFAST_STROE is not a setting; did you mean HOLDFAST_STORE?",
                        "warning settings at the service: HOLDFAST_ELEPHANTS is not a setting.",
                        "warning settings here: HOLDFAST_ONWER is not a setting; did you mean HOLDFAST_OWNER?");
        assertThat(json(Map.of()).at("/unknown_settings/0/nearest").asText()).isEqualTo("HOLDFAST_STORE");
    }

    @Test
    void anyOtherProblemIsOurOwnFailure() {
        var result = run(Map.of("HOLDFAST_OWNER", " ci"));
        assertThat(result.exit()).isEqualTo(1);
        assertThat(line(result, "owner")).startsWith("problem").contains("HOLDFAST_OWNER must be");

        service.answering("/v1/about", 500, "application/problem+json", "{\"code\":\"internal\",\"detail\":\"Oh.\"}");
        assertThat(run(Map.of()).exit()).isEqualTo(1);
    }

    @Test
    void aStoreThatIsNotWellOutdoesOtherProblems() {
        service.answering("/q/health/ready", 503, OddServer.JSON, "{\"status\":\"DOWN\",\"checks\":[]}");

        assertThat(run(Map.of("HOLDFAST_OWNER", " ci")).exit()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"200, application/json, {}", "200, application/json, []", "502, text/html, no", "404, text/html, no"})
    void whatDoesNotSpeakAsHoldfastIsNotTakenForIt(int status, String type, String body) {
        service.answering("/q/health/ready", status, type, body).answering("/v1/about", status, type, body);

        var result = run(Map.of());

        assertThat(result.exit()).as(result.toString()).isEqualTo(4);
        assertThat(line(result, "server")).startsWith("problem").endsWith("the answer is not from Holdfast.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            {}                               | ok      | HOLDFAST_TOKEN, a JWT that never expires
            {"exp":1767618000}               | ok      | HOLDFAST_TOKEN, a JWT that expires in 1h00m
            {"exp":1767614399}               | problem | HOLDFAST_TOKEN expired at 2026-01-05T11:59:59Z, 1.0s ago
            {"exp":1767614400}               | problem | HOLDFAST_TOKEN expired at 2026-01-05T12:00:00Z, 0s ago
            {"nbf":1767614460}               | problem | HOLDFAST_TOKEN is not valid before 2026-01-05T12:01:00Z, in 1m00s
            """)
    void aTokenTellsWhenItIsValid(String claims, String level, String words) {
        var token = Jwts.of(claims);

        var result = run(Map.of("HOLDFAST_TOKEN", token));

        assertThat(line(result, "token")).startsWith(level).endsWith(words);
        assertThat(result.exit()).isEqualTo(level.equals("ok") ? 0 : 1);
        assertThat(result + json(Map.of("HOLDFAST_TOKEN", token)).toString()).doesNotContain(token);
    }

    @Test
    void whereTheTokenComesFromIsShownAndNeverTheToken() {
        assertThat(line(run(Map.of()), "token")).endsWith("none; requests are sent without one");
        assertThat(json(Map.of()).path("token_source").asText()).isEqualTo("none");

        var opaque = run(Map.of("HOLDFAST_TOKEN_COMMAND", "echo s3cr3t"));
        assertThat(line(opaque, "token")).endsWith("HOLDFAST_TOKEN_COMMAND, not a JWT");
        assertThat(opaque.toString()).doesNotContain("s3cr3t");
        assertThat(service.authorizations()).contains("Bearer s3cr3t");
    }

    @Test
    void aTokenFileThatIsMissingIsAProblemHereAndNotOfTheService() {
        var result = run(Map.of("HOLDFAST_TOKEN_FILE", "/no/such/token"));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(line(result, "token"))
                .startsWith("problem")
                .endsWith("HOLDFAST_TOKEN_FILE (/no/such/token) does not exist.");
        assertThat(result.out()).doesNotContain("problem  server");
    }

    @Test
    void theServiceTellsWhoseTheTokenIs() {
        service.answering("/v1/access/me", "{\"subject\":\"token:ci\",\"grants\":[],\"admin\":false}");

        assertThat(line(run(Map.of("HOLDFAST_TOKEN", "x")), "access"))
                .startsWith("ok")
                .endsWith("the service knows this client as token:ci");
        assertThat(json(Map.of("HOLDFAST_TOKEN", "x")).path("subject").asText()).isEqualTo("token:ci");
    }

    @Test
    void aTokenThatTheServiceRefusesIsAProblem() {
        service.answering(
                "/v1/access/me",
                401,
                "application/problem+json",
                "{\"code\":\"unauthenticated\",\"detail\":\"No such token.\"}");

        var result = run(Map.of("HOLDFAST_TOKEN", "x"));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(line(result, "access"))
                .startsWith("problem")
                .endsWith("No such token. The token is that of HOLDFAST_TOKEN.");
    }

    @ParameterizedTest
    @CsvSource({"open, warning", "file, ok"})
    void theModeOfAccessAtTheServiceIsShown(String mode, String level) {
        service.answering(
                "/v1/about", about("2026-01-05T12:00:00.000Z").replaceFirst("}}$", "},\"access\":\"" + mode + "\"}"));

        assertThat(line(run(Map.of()), "access")).startsWith(level).contains(mode);
        assertThat(json(Map.of()).path("access").asText()).isEqualTo(mode);
    }

    @Test
    void aServerThatIsNoUrlIsAMistake() {
        var result = run(Map.of("HOLDFAST_URL", "localhost"));

        CliCalls.refused(2, result);
    }

    private Shell.Result run(Map<String, String> variables, String... words) {
        var environment = new java.util.HashMap<>(Map.of("HOLDFAST_URL", service.url()));
        environment.putAll(variables);
        var all = Stream.concat(Stream.of("doctor"), Stream.of(words)).toArray(String[]::new);
        return new ShellInProcess(CliEnvironment.Terminals.NONE, clock, timeout -> null).run(environment, "", all);
    }

    private JsonNode json(Map<String, String> variables) {
        return CliCalls.parsed(run(variables, "-o", "json").out());
    }

    private static String line(Shell.Result result, String what) {
        return result.out()
                .lines()
                .filter(line -> line.matches("\\w+ +" + what + " .*"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(result.toString()));
    }

    private static String about(String time) {
        return ("{\"version\":\"%s\",\"store\":\"dynamodb\",\"time\":\"%s\",\"limits\":"
                        + "{\"ttl_max_ms\":86400000,\"max_clock_skew_ms\":1000,\"body_max\":65536}}")
                .formatted(Version.number(), time);
    }
}

package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that differs from the contract is noticed, however it differs. */
class AnswersTest {
    private static final String LOCK =
            """
            {"name":"a","lock_id":"123e4567-e89b-42d3-a456-426614174000","owner":"ada","fencing_token":1,"status":"active",
             "lock_type":"generic","acquired_at":"2026-01-05T14:02:15.000Z","expires_at":"2026-01-05T14:32:15.000Z",
             "ttl_ms":1800000,"remaining_ms":1800000,"renewals":0,"metadata":{}}""";
    private static final String UNAVAILABLE = problem(503, "store-unavailable");
    private static final String JSON = "application/json;charset=UTF-8";
    private static final String PROBLEM = "application/problem+json";

    private final Answers answers = new Answers(OpenApi.contract());

    static Stream<Arguments> conforming() {
        return Stream.of(
                arguments("GET", "/v1/locks/a%2Fb", 200, JSON, LOCK),
                arguments("HEAD", "/v1/locks/a", 200, JSON, ""),
                arguments("GET", "/v1/locks/a?limit=1", 400, PROBLEM, problem(400, "invalid-input")),
                arguments("DELETE", "/v1/locks/a", 404, PROBLEM, problem(404, "not-found")),
                arguments("DELETE", "/v1/locks/a", 404, PROBLEM, problem(404, "lock-not-held")),
                arguments("DELETE", "/v1/apps/a", 204, "", ""),
                arguments("PUT", "/v1/locks/a", 405, PROBLEM, problem(405, "method-not-allowed")),
                arguments("HEAD", "/v1/locks/a/hold", 405, PROBLEM, ""),
                arguments("POST", "/v1/locks/%2e%2e", 404, PROBLEM, problem(404, "not-found")),
                arguments("GET", "/q/health/live", 200, JSON, "{}"));
    }

    static Stream<Arguments> differing() {
        return Stream.of(
                arguments("GET", "/v1/locks/a", 201, JSON, LOCK, "is never answered 201"),
                arguments("GET", "/v1/locks/a", 500, PROBLEM, problem(500, "internal-error"), "is never answered 500"),
                arguments("GET", "/v1/locks/a", 200, "text/html", LOCK, "the media type is 'text/html'"),
                arguments("GET", "/v1/locks/a", 200, "", LOCK, "the media type is ''"),
                arguments("GET", "/v1/locks/a", 400, JSON, problem(400, "invalid-input"), "the media type is"),
                arguments("GET", "/v1/locks/a", 200, JSON, LOCK.replace("\"renewals\"", "\"renewal\""), "renewal"),
                arguments("GET", "/v1/locks/a", 200, JSON, LOCK.replace("\"owner\":\"ada\",", ""), "owner"),
                arguments("GET", "/v1/locks/a", 200, JSON, LOCK.replace("1800000", "\"30m\""), "ttl_ms"),
                arguments("GET", "/v1/locks/a", 200, JSON, LOCK.replace("active", "held"), "status"),
                arguments("GET", "/v1/locks/a", 200, JSON, LOCK.replace(".000Z", "Z"), "acquired_at"),
                arguments("GET", "/v1/locks/a", 200, JSON, LOCK.replace("{}", "{\"k\":1}"), "metadata"),
                arguments("GET", "/v1/locks/a", 200, JSON, "not JSON", "object expected"),
                arguments("GET", "/v1/locks/a", 404, PROBLEM, problem(404, "lock-not-held"), "'not-found'"),
                arguments("DELETE", "/v1/locks/a", 404, PROBLEM, problem(404, "lock-changed"), "code"),
                arguments("DELETE", "/v1/apps/a", 204, "", "{}", "there is a body"),
                arguments("GET", "/v1/locks/a", 405, PROBLEM, problem(405, "method-not-allowed"), "never answered 405"),
                arguments("PUT", "/v1/locks/a", 200, JSON, LOCK, "the media type is"),
                arguments("GET", "/v1/lock", 404, PROBLEM, problem(404, "lock-not-held"), "the code is not not-found"));
    }

    @ParameterizedTest
    @MethodSource("conforming")
    void anAnswerThatTheContractHasIsFine(String method, String target, int status, String type, String body) {
        assertThat(answers.violations(exchange(method, target, status, headers(type), body)))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("differing")
    void anAnswerThatDiffersIsNoticed(
            String method, String target, int status, String type, String body, String difference) {
        assertThat(answers.violations(exchange(method, target, status, headers(type), body)))
                .isNotEmpty()
                .anySatisfy(violation -> assertThat(violation).contains(difference));
    }

    @Test
    void aHeaderThatTheContractHasNotIsNoticed() {
        var headers = headers(JSON);
        headers.put("server", "holdfast");

        assertThat(answers.violations(exchange("GET", "/v1/locks/a", 200, headers, LOCK)))
                .containsExactly("header server is not declared");
    }

    @Test
    void aHeaderThatIsMissingIsNoticed() {
        assertThat(answers.violations(exchange("GET", "/v1/locks/a", 503, headers(PROBLEM), UNAVAILABLE)))
                .containsExactly("header retry-after is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "0", "1.5"})
    void aHeaderWithAnotherValueIsNoticed(String value) {
        var headers = headers(PROBLEM);
        headers.put("retry-after", "1");
        assertThat(answers.violations(exchange("GET", "/v1/locks/a", 503, headers, UNAVAILABLE)))
                .isEmpty();

        headers.put("retry-after", value);
        assertThat(answers.violations(exchange("GET", "/v1/locks/a", 503, headers, UNAVAILABLE)))
                .singleElement()
                .asString()
                .startsWith("header retry-after: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "201 | {\"owner\":\"ada\"}                      | 0",
                "201 | {\"owner\":7}                            | 1",
                "201 | {}                                       | 1",
                "201 | {\"owner\":\"ada\",\"patience\":\"5s\"}    | 1",
                "400 | {\"owner\":7}                            | 0",
            })
    void aBodyThatTheServiceTookAndTheContractDoesNotIsNoticed(int status, String sent, int violations) {
        var answer = status == 201 ? LOCK : problem(400, "invalid-input");
        var headers = headers(status == 201 ? JSON : PROBLEM);

        assertThat(answers.violations(new HttpExchange("POST", "/v1/locks/a", sent, status, headers, answer)))
                .hasSize(violations);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lost | {\"cause\":\"forced\",\"detail\":\"It was stuck.\"} | true",
                "lost | {\"cause\":\"bored\",\"detail\":\"It was stuck.\"}  | false",
                "tick | {\"cause\":\"forced\",\"detail\":\"It was stuck.\"} | false",
                "gone | {\"cause\":\"forced\",\"detail\":\"It was stuck.\"} | false",
            })
    void anEventThatTheContractHasNotIsNoticed(String event, String data, boolean valid)
            throws JsonProcessingException {
        var violations =
                answers.eventViolations("/v1/locks/a/hold?owner=ada", event, new ObjectMapper().readTree(data));

        assertThat(violations.isEmpty()).isEqualTo(valid);
    }

    private static HttpExchange exchange(
            String method, String target, int status, Map<String, String> headers, String body) {
        return new HttpExchange(method, target, null, status, headers, body);
    }

    private static Map<String, String> headers(String type) {
        var headers = new HashMap<>(Map.of("content-length", "1", "date", "Mon, 05 Jan 2026 14:02:15 GMT"));
        if (!type.isEmpty()) {
            headers.put("content-type", type);
        }
        return headers;
    }

    private static String problem(int status, String code) {
        return "{\"type\":\"urn:holdfast:problem:%s\",\"title\":\"T\",\"status\":%d,\"detail\":\"D\",\"code\":\"%s\"}"
                .formatted(code, status, code);
    }
}

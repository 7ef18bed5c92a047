package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;

/** What every refusal has in common. */
final class Refusals {
    private Refusals() {}

    static void assertProblem(Response answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(status);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        var problem = answer.jsonPath();
        assertThat(problem.getInt("status")).isEqualTo(status);
        assertThat(problem.getString("code")).isEqualTo(code);
        assertThat(problem.getString("type")).isEqualTo("urn:holdfast:problem:" + code);
        assertThat(problem.getString("title")).isNotBlank();
        assertThat(problem.getString("detail")).isNotBlank();
    }

    static void assertInvalid(Response answer, String field) {
        assertProblem(answer, 400, "invalid-input");
        assertThat(answer.jsonPath().getString("field")).isEqualTo(field);
        assertThat(answer.jsonPath().getString("allowed")).isNotBlank();
        assertThat(answer.jsonPath().getString("detail")).startsWith(field + " must be ");
    }

    static void assertNotHeldWithoutHolder(Response answer) {
        assertProblem(answer, 404, "lock-not-held");
        assertThat(answer.<Object>path("lock")).isNull();
    }

    static void assertNotHeldBut(Response answer, Response holder) {
        assertProblem(answer, 404, "lock-not-held");
        assertThat(answer.<String>path("lock.lock_id")).isEqualTo(holder.path("lock_id"));
        assertThat(answer.<String>path("lock.owner")).isEqualTo(holder.path("owner"));
    }
}

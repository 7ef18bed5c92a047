package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

/** What every refusal has in common. */
public final class Refusals {
    private Refusals() {}

    public static void assertProblem(Answer answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(status);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        var problem = answer.json();
        assertThat(problem.getInt("status")).isEqualTo(status);
        assertThat(problem.getString("code")).isEqualTo(code);
        assertThat(problem.getString("type")).isEqualTo("urn:holdfast:problem:" + code);
        assertThat(problem.getString("title")).isNotBlank();
        assertThat(problem.getString("detail")).isNotBlank();
    }

    public static void assertInvalid(Answer answer, String field) {
        assertProblem(answer, 400, "invalid-input");
        assertThat(answer.json().getString("field")).isEqualTo(field);
        assertThat(answer.json().getString("allowed")).isNotBlank();
        assertThat(answer.json().getString("detail")).startsWith(field + " must be ");
    }

    public static void assertNotHeldWithoutHolder(Answer answer) {
        assertProblem(answer, 404, "lock-not-held");
        assertThat(answer.<Object>path("lock")).isNull();
    }

    public static void assertNotHeldBut(Answer answer, Answer holder) {
        assertProblem(answer, 404, "lock-not-held");
        assertThat(answer.<String>path("lock.lock_id")).isEqualTo(holder.path("lock_id"));
        assertThat(answer.<String>path("lock.owner")).isEqualTo(holder.path("owner"));
    }
}

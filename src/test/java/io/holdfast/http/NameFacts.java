package io.holdfast.http;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.listAll;
import static io.holdfast.http.lock.LockCalls.names;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.renew;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Percent-encoded, every allowed name is an ordinary one. */
public interface NameFacts {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DB#i-0abc",
                "db.example:5432",
                "team/app",
                "/slash/ends/",
                "ops@example.com",
                "a//b",
                "a/../b",
                "a/./b",
                "..a",
                "UPPER_and_lower.0-9:#@/"
            })
    default void aNameWithReservedCharactersIsOrdinary(String stem) {
        var name = stem + unique("");

        var held = acquired(name, "ada");

        assertThat(held.<String>path("name")).isEqualTo(name);
        assertThat(get(name).<String>path("lock_id")).isEqualTo(held.path("lock_id"));
        assertThat(acquire(name, "bob").statusCode()).isEqualTo(409);
        assertThat(renew(name, Map.of("owner", "ada", "lock_id", held.path("lock_id")))
                        .statusCode())
                .isEqualTo(200);
        assertThat(names(listAll(Map.of("prefix", name)))).containsExactly(name);
        assertThat(release(held).<Boolean>path("released")).isTrue();
    }

    @Test
    default void aNameThatLooksLikeAnActionIsStillAName() {
        var name = unique("action") + "/renew";

        var held = acquired(name, "ada");

        assertThat(held.<String>path("name")).isEqualTo(name);
        assertThat(get(name).<String>path("owner")).isEqualTo("ada");
    }

    @Test
    default void namesThatDifferInCaseAreDifferentLocks() {
        var name = unique("case");
        acquired(name, "ada");

        assertThat(acquire(name.toUpperCase(Locale.ROOT), "bob").statusCode()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/locks/a/b, /v1/locks/a%2Fb",
        "/v1/locks/a/b%23c/renew, /v1/locks/a%2Fb%23c/renew",
        "/v1/apps/team/app/stop, /v1/apps/team%2Fapp/stop",
    })
    default void aSlashThatIsNotEncodedIsPointedAt(String path, String meant) {
        var refused = Calls.post(path, Map.of("owner", "ada"));

        assertProblem(refused, 404, "not-found");
        assertThat(refused.<String>path("detail")).contains("%2F: " + meant + ".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/v1/", "/v1/lock", "/v1/locks/a/b/c/", "/v1/brake/x", "/v2/locks", "/nothing"})
    default void whereNothingIsAProblemSaysSo(String path) {
        assertProblem(Calls.get(path), 404, "not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a?b", "a%b", "é", "a\nb", "a\\b", "a\"b", "a*", "😀"})
    default void aNameWithAnyOtherCharacterIsRefused(String name) {
        assertInvalid(acquire(name, "ada"), "name");
        assertInvalid(get(name), "name");
    }
}

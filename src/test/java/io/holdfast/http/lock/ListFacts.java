package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.get;
import static io.holdfast.http.lock.LockCalls.list;
import static io.holdfast.http.lock.LockCalls.listAll;
import static io.holdfast.http.lock.LockCalls.names;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import io.holdfast.http.Refusals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking at one lock, and at many. */
interface ListFacts {
    @Test
    default void aLockThatNeverWasIsNotFound() {
        assertProblem(get(unique("never")), 404, "not-found");
    }

    @Test
    default void aLockIsShownAsItWasGranted() {
        var name = unique("get");
        var held = acquired(name, Map.of("owner", "ada", "user_email", "ada@example.com"));

        var shown = get(name);

        assertThat(shown.statusCode()).isEqualTo(200);
        var expected = new HashMap<>(held.json().<String, Object>getMap("$"));
        var actual = new HashMap<>(shown.json().<String, Object>getMap("$"));
        expected.remove("remaining_ms");
        actual.remove("remaining_ms");
        assertThat(actual.remove("waiters")).isEqualTo(List.of());
        assertThat(actual).isEqualTo(expected);
        assertThat(shown.<Integer>path("remaining_ms")).isBetween(1, 1_800_000);
    }

    @Test
    default void aListIsFilteredByStatus() {
        var prefix = unique("status") + "/";
        acquired(prefix + "active", "ada");
        release(acquired(prefix + "released", "ada"));
        acquired(prefix + "expired", Map.of("owner", "ada", "ttl", "1s"));
        await().until(() -> get(prefix + "expired").path("status").equals("expired"));

        assertThat(names(listAll(Map.of("prefix", prefix)))).containsExactly(prefix + "active");
        for (var status : new String[] {"active", "released", "expired"}) {
            assertThat(names(listAll(Map.of("prefix", prefix, "status", status))))
                    .containsExactly(prefix + status);
        }
        assertThat(names(listAll(Map.of("prefix", prefix, "status", "all"))))
                .containsExactlyInAnyOrder(prefix + "active", prefix + "released", prefix + "expired");
    }

    @Test
    default void aListIsFilteredByOwnerAndType() {
        var prefix = unique("filters") + "/";
        acquired(prefix + 1, Map.of("owner", "ada", "lock_type", "service"));
        acquired(prefix + 2, Map.of("owner", "ada"));
        acquired(prefix + 3, Map.of("owner", "bob", "lock_type", "service"));

        assertThat(names(listAll(Map.of("prefix", prefix, "owner", "ada"))))
                .containsExactlyInAnyOrder(prefix + 1, prefix + 2);
        assertThat(names(listAll(Map.of("prefix", prefix, "lock_type", "service"))))
                .containsExactlyInAnyOrder(prefix + 1, prefix + 3);
        assertThat(names(listAll(Map.of("prefix", prefix, "owner", "bob", "lock_type", "service"))))
                .containsExactly(prefix + 3);
    }

    @Test
    default void everyLockIsOnOnePageAndNoPageIsLongerThanItsLimit() {
        var prefix = unique("pages") + "/";
        var expected = new ArrayList<String>();
        for (var i = 0; i < 7; i++) {
            expected.add(prefix + i);
            acquired(prefix + i, "ada");
        }

        var pages = new ArrayList<String>();
        var query = new HashMap<String, Object>(Map.of("prefix", prefix, "limit", 3));
        do {
            var page = list(query).expect(200).json();
            assertThat(page.getList("locks")).hasSizeLessThanOrEqualTo(3);
            pages.addAll(page.getList("locks.name"));
            query.put("cursor", page.getString("next_cursor"));
        } while (query.get("cursor") != null);

        assertThat(pages).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    default void theLastPageHasNoCursor() {
        var page = list(Map.of("prefix", unique("nothing")));

        assertThat(page.json().<String, Object>getMap("$")).containsOnlyKeys("locks", "next_cursor");
        assertThat(listAll(Map.of("prefix", unique("nothing")))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"not base64!", "****", "gA", "%FF"})
    default void aCursorThatWasNeverGivenOutIsRefused(String cursor) {
        assertInvalid(list(Map.of("cursor", cursor)), "cursor");
    }

    @Test
    default void aStatusThatIsNoneIsRefused() {
        assertInvalid(list(Map.of("status", "held")), "status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1001", "99999999999", "9223372036854775809", "-9223372036854775809"})
    default void aLimitOutOfRangeIsToldTheRange(String limit) {
        var refused = Calls.get("/v1/locks?limit=" + limit);

        Refusals.assertInvalid(refused, "limit");
        assertThat(refused.<String>path("allowed")).isEqualTo("a whole number from 1 to 1000");
    }
}

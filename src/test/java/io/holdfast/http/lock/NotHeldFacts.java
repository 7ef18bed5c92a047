package io.holdfast.http.lock;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.acquired;
import static io.holdfast.http.lock.LockCalls.delete;
import static io.holdfast.http.lock.LockCalls.release;
import static io.holdfast.http.lock.LockCalls.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Answer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A caller that does not hold the lock is told what differs from its request, and what it can do. */
interface NotHeldFacts {
    String SECONDS = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";

    @Test
    default void anotherOwnerIsNamed() {
        var name = unique("differs-owner");
        acquired(name, "ada");

        assertThat(refusedRenewal(name, "bob", UUID.randomUUID().toString()))
                .matches("You do not hold lock '%s': it is held by ada until %s\\. Stop the work it guarded\\."
                        .formatted(name, SECONDS));
    }

    @Test
    default void theRightLockIdWithAnotherOwnerIsTold() {
        var name = unique("differs-typo");
        var held = acquired(name, "ada");

        assertThat(refusedRenewal(name, "adda", held.path("lock_id")))
                .isEqualTo("You do not hold lock '%s': the owner of this lock_id is ada, not adda. Name the owner that"
                                .formatted(name)
                        + " acquired the lock.");
    }

    @Test
    default void aLaterLeaseOfTheSameOwnerIsTold() {
        var name = unique("differs-id");
        var first = acquired(name, "ada");
        release(first);
        acquired(name, "ada");

        assertThat(refusedRenewal(name, "ada", first.path("lock_id")))
                .matches(
                        ("You do not hold lock '%s': ada holds it with another lock_id since %s\\. Stop the work that the"
                                        + " earlier lease guarded, or name the lock_id of the later one\\.")
                                .formatted(name, SECONDS));
    }

    @Test
    default void anotherTokenIsTold() {
        var name = unique("differs-token");
        var id = UUID.randomUUID().toString();
        var first = acquired(name, Map.of("owner", "ada", "lock_id", id));
        release(first);
        var second = acquired(name, Map.of("owner", "ada", "lock_id", id));

        assertThat(refused(first, Map.of("fencing_token", token(first))))
                .isEqualTo(
                        "You do not hold lock '%s': its fencing_token is %d, not %d, so the lease was lost and the lock"
                                        .formatted(name, token(second), token(first))
                                + " acquired again. Stop the work that the earlier token guarded.");
        assertThat(refused(second, Map.of("fencing_token", token(second) + 1)))
                .isEqualTo("You do not hold lock '%s': its fencing_token is %d, not %d. Name the one that the acquire"
                                .formatted(name, token(second), token(second) + 1)
                        + " answered.");
    }

    @Test
    default void aReleasedLeaseIsToldWhenItWasReleased() {
        var name = unique("differs-released");
        var held = acquired(name, "ada");
        release(held);

        assertThat(refused(held, Map.of()))
                .matches(
                        ("You do not hold lock '%s': the lease was released at %s\\. Stop the work it guarded; to go on,"
                                        + " acquire the lock again\\.")
                                .formatted(name, SECONDS));
        assertThat(refusedRenewal(name, "bob", UUID.randomUUID().toString()))
                .contains(": its last lease, of ada, was released at ");
    }

    @Test
    default void aLeaseThatWasTakenAwayIsToldWhy() {
        var name = unique("differs-forced");
        var held = acquired(name, Map.of("owner", "ada", "auto_renew", true));
        delete(name, Map.of("force", true, "fencing_token", token(held), "reason", "node is gone"))
                .expect(200);

        assertThat(refused(held, Map.of()))
                .matches(".*: the lease was taken away by an administrator at %s \\(node is gone\\)\\. Stop .*"
                        .formatted(SECONDS));
        var beat = LockCalls.heartbeat(held);
        assertProblem(beat, 404, "lock-not-held");
        assertThat(beat.<String>path("detail")).contains("taken away by an administrator at ", "(node is gone)");
    }

    @Test
    default void anExpiredLeaseIsToldWhenItExpired() {
        var name = unique("differs-expired");
        var held = acquired(name, Map.of("owner", "ada", "ttl", "1s"));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> LockCalls.get(name).path("status").equals("expired"));

        assertThat(refused(held, Map.of())).matches(".*: the lease expired at %s\\. Stop .*".formatted(SECONDS));
    }

    @Test
    default void aLockThatNeverWasIsToldSo() {
        var name = unique("differs-never");

        assertThat(refusedRenewal(name, "ada", UUID.randomUUID().toString()))
                .startsWith("You do not hold lock '%s': it has no record, so it was never acquired or ended long ago."
                        .formatted(name));
    }

    @Test
    default void aReleaseIsToldWhatDiffersToo() {
        var name = unique("differs-release");
        var held = acquired(name, "ada");

        var refused =
                delete(name, Map.of("owner", "ada", "lock_id", held.path("lock_id"), "fencing_token", token(held) - 1));

        assertProblem(refused, 404, "lock-not-held");
        assertThat(refused.<String>path("detail"))
                .contains(": its fencing_token is %d, not %d,".formatted(token(held), token(held) - 1));
    }

    private static String refusedRenewal(String name, String owner, String lockId) {
        return detail(LockCalls.renew(name, Map.of("owner", owner, "lock_id", lockId)));
    }

    /** Of a renewal of the lease. */
    private static String refused(Answer held, Map<String, ?> more) {
        var body = new HashMap<String, Object>(more);
        body.put("owner", held.path("owner"));
        body.put("lock_id", held.path("lock_id"));
        return detail(LockCalls.renew(held.path("name"), body));
    }

    private static String detail(Answer refused) {
        assertProblem(refused, 404, "lock-not-held");
        return refused.path("detail");
    }
}

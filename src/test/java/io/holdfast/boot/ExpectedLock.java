package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boot.ProgramCalls.Answer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the clients of one lock know of it. What they were told must be so; what they sent and got no answer to may have
 * happened or not. Safe for concurrent use.
 */
final class ExpectedLock {
    private enum State {
        FREE,
        HELD,
        RELEASE_SENT
    }

    record Lease(String lockId, String owner, long token, long renewals) {}

    private final String name;
    private final Map<String, String> ownersByAcquireSent = new HashMap<>();
    private Lease lease;
    private State state = State.FREE;
    private boolean renewSent;

    ExpectedLock(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    synchronized Optional<Lease> heldBy(String owner) {
        return Optional.ofNullable(lease)
                .filter(held -> state == State.HELD && held.owner().equals(owner));
    }

    synchronized void acquireSent(String lockId, String owner) {
        ownersByAcquireSent.put(lockId, owner);
    }

    synchronized void acquireRefused(String lockId) {
        ownersByAcquireSent.remove(lockId);
    }

    synchronized void granted(Answer answer) {
        take(answer);
        ownersByAcquireSent.remove(lease.lockId());
    }

    synchronized void renewSent() {
        renewSent = true;
    }

    synchronized void renewed(Answer answer) {
        assertThat(answer.token()).as("token after a renewal of %s", name).isEqualTo(lease.token());
        lease = lease(answer);
        renewSent = false;
    }

    synchronized void releaseSent() {
        state = State.RELEASE_SENT;
    }

    /** Somebody else may have been granted the lock before this answer arrived. */
    synchronized void released(String lockId) {
        if (lease.lockId().equals(lockId)) {
            state = State.FREE;
        }
    }

    /** Compares with what a new program on the same data shows, and believes it where nobody was told. */
    synchronized void checkAndSettle(Answer found) {
        if (found.status() == 404) {
            assertThat(lease).as("%s was granted, and is gone", name).isNull();
        } else if (lease != null && found.text("lock_id").equals(lease.lockId())) {
            settleKnown(found);
        } else {
            settleUnanswered(found);
        }
        ownersByAcquireSent.clear();
        renewSent = false;
    }

    private void settleKnown(Answer found) {
        var shown = lease(found);
        var as = "%s, expected %s %s, found %s".formatted(name, state, lease, found.body());
        assertThat(shown.owner()).as(as).isEqualTo(lease.owner());
        assertThat(shown.token()).as(as).isEqualTo(lease.token());
        assertThat(shown.renewals()).as(as).isBetween(lease.renewals(), lease.renewals() + (renewSent ? 1 : 0));
        var status = found.text("status");
        switch (state) {
            case HELD -> assertThat(status).as(as).isEqualTo("active");
            case FREE -> assertThat(status).as(as).isEqualTo("released");
            case RELEASE_SENT -> assertThat(status).as(as).isIn("active", "released");
        }
        lease = shown;
        state = status.equals("active") ? State.HELD : State.FREE;
    }

    private void settleUnanswered(Answer found) {
        assertThat(ownersByAcquireSent)
                .as("%s, expected %s %s, found %s", name, state, lease, found.body())
                .containsEntry(found.text("lock_id"), found.text("owner"));
        assertThat(found.text("status")).isEqualTo("active");
        take(found);
    }

    private void take(Answer answer) {
        assertThat(state)
                .as("%s was held by %s when it was granted: %s", name, lease, answer.body())
                .isNotEqualTo(State.HELD);
        if (lease != null) {
            assertThat(answer.token()).as("token of %s", name).isGreaterThan(lease.token());
        }
        lease = lease(answer);
        state = State.HELD;
    }

    private static Lease lease(Answer answer) {
        return new Lease(
                answer.text("lock_id"),
                answer.text("owner"),
                answer.token(),
                answer.body().path("renewals").asLong());
    }
}

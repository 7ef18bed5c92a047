package io.holdfast.lock.port;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Short words for lock tests. */
public final class Fixtures {
    /** Far ahead of the machine's clock: DynamoDB's own TTL would delete records that it thinks are long dead. */
    public static final Instant NOON = Instant.parse("2099-03-01T12:00:00Z");

    public static final Duration TTL = Duration.ofSeconds(30);
    public static final Duration SKEW = Duration.ofSeconds(1);
    public static final Duration RETENTION = Duration.ofHours(24);
    public static final int QUEUE_MAX = 4;
    public static final LockRules RULES = new LockRules(SKEW, RETENTION, QUEUE_MAX, true);

    public static final Duration STALE_AFTER = Duration.ofMinutes(5);

    public static final Owner ADA = new Owner("ada");
    public static final Owner BOB = new Owner("bob");

    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private Fixtures() {}

    public static LockName aName() {
        return new LockName("lock-" + UUID.randomUUID());
    }

    public static AcquireRequest wants(Owner owner, LockName name) {
        return wants(owner, name, TTL);
    }

    public static AcquireRequest wants(Owner owner, LockName name, Duration ttl) {
        return AcquireRequest.once(new LeaseRef(name, LockId.random(), owner), ttl, Labels.NONE);
    }

    public static AcquireRequest waits(Owner owner, LockName name, Instant until) {
        return wants(owner, name).arriving(NOON, until, present(until));
    }

    /** The same request, asked again by its caller: another attempt. */
    public static AcquireRequest askedAgain(AcquireRequest request, Instant since, Instant until) {
        return AcquireRequest.once(request.ref(), AttemptId.random(), request.terms(), request.labels())
                .arriving(since, until, present(until));
    }

    /** What the same attempt asks when it looks again. */
    public static AcquireRequest lookingAgain(AcquireRequest request) {
        return request.askingAgain(request.queueEntry().orElseThrow().presence());
    }

    /** The very lease, as long as it belongs to the attempt that was granted it. */
    static LeaseClaim claim(AcquireRequest request, Lease lease) {
        return LeaseClaim.of(lease, request.attempt());
    }

    /** For comparing what a record says of lease and end, whichever attempts it belongs to. */
    public static LockRecord withoutAttempts(LockRecord record) {
        return new LockRecord(record.lease(), record.token(), record.end(), record.queue(), LockRecord.Attempts.NONE);
    }

    /** The same request, as it waits at this replica, which confirms the ticket with this presence. */
    public static AcquireRequest atReplica(String replica, AcquireRequest request, Instant until) {
        var visit = request.queueEntry().orElseThrow();
        return request.arriving(visit.since(), visit.until(), new Presence(new ReplicaId(replica), until));
    }

    /** A replica that vouches for its waiters as long as they wait. */
    public static Presence present(Instant until) {
        return new Presence(new ReplicaId("r1"), until);
    }

    public static AcquireRequest labelled(Owner owner, LockName name) {
        var labels =
                new Labels(LockType.CLUSTER, Optional.of("ada@example.com"), Map.of("reason", "für später", "a", ""));
        return AcquireRequest.once(new LeaseRef(name, LockId.random(), owner), TTL, labels);
    }

    public static ForceRelease force(LockName name, FencingToken seen) {
        return force(name, seen, Duration.ZERO);
    }

    public static ForceRelease force(LockName name, FencingToken seen, Duration lockDelay) {
        return new ForceRelease(name, seen, "the holder is gone", lockDelay);
    }

    public static LockStore.SweepBounds steps(int limit) {
        return new LockStore.SweepBounds(limit, STALE_AFTER);
    }

    public static <T> T await(Uni<T> answer) {
        return answer.await().atMost(ANSWER_MAX);
    }
}

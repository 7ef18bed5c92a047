package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.maybeText;
import static io.holdfast.store.dynamodb.call.Attributes.maybeTime;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;

import io.holdfast.kernel.Subject;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.store.dynamodb.call.Partition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A lock as an item of the table. Times are in milliseconds, except {@code ttl}, which is in seconds. */
final class LockItem {
    static final String SK_LOCK = "LOCK";

    /** The item of a database's lock has the identifier after this prefix as a separate attribute. */
    static final String DATABASE_PREFIX = "DB#";

    /** The tickets of the queue, the next waiter first. */
    static final String WAITERS = "waiters";

    /** For each replica, until when it has confirmed its tickets. */
    static final String PRESENCE = "presence";

    /** The attempt that the lease belongs to. */
    static final String ATTEMPT = "attempt";

    /** The attempt that the lease was granted to. */
    static final String GRANTED_TO = "granted_to";

    /** In a ticket of an earlier build, in place of the attempt. */
    static final String ASKER = "asker";

    /** Written by earlier builds: the waiter that may not have received the lease that it was granted. */
    static final String UNCLAIMED = "unclaimed";

    static final String ACTIVE = "active";
    static final String RELEASING = "releasing";
    static final String RELEASED = "released";

    private LockItem() {}

    static Map<String, AttributeValue> key(LockName name) {
        return Map.of(PK, Partition.LOCK.of(name.value()), SK, text(SK_LOCK));
    }

    static boolean isLock(Map<String, AttributeValue> item) {
        return item.get(SK).s().equals(SK_LOCK) && item.get(PK).s().startsWith(Partition.LOCK.beginning());
    }

    /** @param item may be null or empty */
    static Optional<LockRecord> readAny(Map<String, AttributeValue> item) {
        return item == null || item.isEmpty() ? Optional.empty() : Optional.of(read(item));
    }

    static LockRecord read(Map<String, AttributeValue> item) {
        try {
            return parse(item);
        } catch (RuntimeException e) {
            throw new IllegalStateException("The item " + item.get(PK) + " is not a lock as Holdfast writes it.", e);
        }
    }

    private static LockRecord parse(Map<String, AttributeValue> item) {
        var highest = number(item, "fencing_token");
        var forced = item.containsKey("release_reason");
        var lease = new Lease(
                new LockName(
                        item.get(PK).s().substring(Partition.LOCK.beginning().length())),
                new LockId(item.get("lock_id").s()),
                owner(item),
                // A force release raises the token by one. The lease that it ended has the token before.
                new FencingToken(forced ? highest - 1 : highest),
                new Lease.Term(
                        time(item, "created_at"),
                        time(item, "expires_at"),
                        Duration.ofMillis(number(item, "ttl_ms")),
                        number(item, "renewals"),
                        maybeTime(item, "renew_until")),
                labels(item));
        return new LockRecord(
                lease,
                new FencingToken(highest),
                end(item),
                queue(item),
                new LockRecord.Attempts(attempt(item, GRANTED_TO), attempt(item, ATTEMPT)));
    }

    /** Of the lease, or of a ticket. */
    private static Owner owner(Map<String, AttributeValue> map) {
        return new Owner(
                map.get(OwnerCondition.OWNER).s(),
                maybeText(map, OwnerCondition.SUBJECT).map(Subject::new));
    }

    private static AttemptId attempt(Map<String, AttributeValue> item, String name) {
        return maybeText(item, name).map(AttemptId::new).orElse(AttemptId.NONE);
    }

    private static WaitQueue queue(Map<String, AttributeValue> item) {
        var tickets = item.containsKey(WAITERS) ? item.get(WAITERS).l() : List.<AttributeValue>of();
        var presence = item.containsKey(PRESENCE) ? item.get(PRESENCE).m() : Map.<String, AttributeValue>of();
        return new WaitQueue(
                tickets.stream().map(AttributeValue::m).map(LockItem::ticket).toList(),
                presence.keySet().stream()
                        .collect(Collectors.toMap(ReplicaId::new, replica -> time(presence, replica))));
    }

    private static Ticket ticket(Map<String, AttributeValue> ticket) {
        var replica = maybeText(ticket, "replica").map(ReplicaId::new);
        return new Ticket(
                new LockId(ticket.get("lock_id").s()),
                owner(ticket),
                new AttemptId(ticket.get(replica.isPresent() ? ATTEMPT : ASKER).s()),
                replica.orElse(ReplicaId.NONE),
                time(ticket, "since"),
                time(ticket, "deadline"));
    }

    static AttributeValue queue(WaitQueue queue) {
        return AttributeValue.fromL(
                queue.tickets().stream().map(LockItem::ticket).toList());
    }

    /** In the form in which it was read, because conditions compare whole tickets. */
    static AttributeValue ticket(Ticket ticket) {
        var values = new HashMap<String, AttributeValue>();
        values.put("lock_id", text(ticket.id().value()));
        values.put(OwnerCondition.OWNER, text(ticket.owner().value()));
        ticket.owner().subject().ifPresent(subject -> values.put(OwnerCondition.SUBJECT, text(subject.value())));
        values.put("since", time(ticket.since()));
        values.put("deadline", time(ticket.deadline()));
        if (ticket.replica().equals(ReplicaId.NONE)) {
            values.put(ASKER, text(ticket.attempt().value()));
        } else {
            values.put(ATTEMPT, text(ticket.attempt().value()));
            values.put("replica", text(ticket.replica().value()));
        }
        return AttributeValue.fromM(values);
    }

    static long ceilSeconds(Duration duration) {
        return duration.plusMillis(999).toSeconds();
    }

    private static Labels labels(Map<String, AttributeValue> item) {
        var metadata = item.get("metadata").m().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().s()));
        return new Labels(LockType.stored(item.get("lock_type").s()), maybeText(item, "user_email"), metadata);
    }

    private static Optional<LockRecord.End> end(Map<String, AttributeValue> item) {
        if (item.get("status").s().equals(ACTIVE)) {
            return Optional.empty();
        }
        return Optional.of(new LockRecord.End(
                time(item, "released_at"), maybeTime(item, "closed_until"), maybeText(item, "release_reason")));
    }
}

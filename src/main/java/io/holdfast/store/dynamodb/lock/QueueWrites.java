package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;
import static io.holdfast.store.dynamodb.lock.LockItem.PRESENCE;
import static io.holdfast.store.dynamodb.lock.QueueTurn.ticket;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.ReplicaId;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Conditional writes on the queue of a lock. Tickets join at the end and leave at any place. So a ticket at an
 * unchanged place has the same tickets before it. The condition of a write covers only the part of the queue that it
 * changes.
 */
final class QueueWrites {
    /** The most tickets that one write removes. DynamoDB limits the length of an expression. */
    private static final int CLEARED_MAX = 50;

    private static final Duration GONE_AFTER = Duration.ofMinutes(10);

    private final String table;
    private final int waitersMax;

    QueueWrites(String table, int waitersMax) {
        this.table = table;
        this.waitersMax = waitersMax;
    }

    /**
     * Joins the queue, or takes over the place of an earlier attempt of the same request. If that ticket is overdue, or
     * if overdue tickets fill the queue, this write only removes them, and the next write joins.
     *
     * @param seen the record as it was read
     * @param joined the queue as decided
     * @param mapMissing whether the item may have no map of presences, as items of earlier versions
     */
    UpdateItemRequest join(AcquireRequest request, LockRecord seen, WaitQueue joined, boolean mapMissing, Instant now) {
        var ticket = joined.tickets().get(joined.placeOf(request.ref()).orElseThrow());
        var presence = request.queueEntry().orElseThrow().presence();
        var queue = seen.queue();
        var before = queue.placeOf(request.ref());
        if (before.isPresent()) {
            var place = before.getAsInt();
            return queue.tickets().get(place).overdueAt(now)
                    ? remove(seen, List.of(place)).build()
                    : takeOver(seen, place, ticket, presence, mapMissing);
        }
        return queue.size() < waitersMax
                ? append(seen, ticket, presence, mapMissing, now)
                : remove(seen, places(queue, other -> other.overdueAt(now))).build();
    }

    /** The places of matching tickets, as many as one write can remove. */
    private static List<Integer> places(WaitQueue queue, Predicate<Ticket> removed) {
        return IntStream.range(0, queue.size())
                .filter(i -> removed.test(queue.tickets().get(i)))
                .limit(CLEARED_MAX)
                .boxed()
                .toList();
    }

    private UpdateItemRequest.Builder remove(LockRecord seen, List<Integer> places) {
        return remove(seen, places, new ArrayList<>(), new ArrayList<>(), new HashMap<>());
    }

    /**
     * @param paths further paths to remove
     * @param conditions further conditions, whose values are in {@code values}
     */
    private UpdateItemRequest.Builder remove(
            LockRecord seen,
            List<Integer> places,
            List<String> paths,
            List<String> conditions,
            Map<String, AttributeValue> values) {
        places.forEach(i -> {
            paths.add(ticket(i));
            conditions.add(ticket(i) + " = :ticket" + i);
            values.put(":ticket" + i, LockItem.ticket(seen.queue().tickets().get(i)));
        });
        return write(seen.name(), "REMOVE " + String.join(", ", paths), String.join(" AND ", conditions), values);
    }

    /**
     * Removes tickets of dead replicas, unless one of them has confirmed its tickets since. The presence of a replica
     * is removed with its last ticket.
     */
    UpdateItemRequest evict(LockRecord seen, List<Presence> gone) {
        var queue = seen.queue();
        var places = places(queue, ticket -> queue.isUnconfirmedSince(gone, ticket));
        var removed = places.stream().map(queue.tickets()::get).toList();
        var paths = new ArrayList<String>();
        var conditions = new ArrayList<String>();
        var names = new HashMap<String, String>();
        var values = new HashMap<String, AttributeValue>();
        for (var replica : removed.stream().map(Ticket::replica).distinct().toList()) {
            var path = PRESENCE + ".#replica" + names.size();
            conditions.add(path + " = :present" + names.size());
            values.put(":present" + names.size(), time(queue.presence().get(replica)));
            names.put("#replica" + names.size(), replica.value());
            if (queue.tickets().stream()
                    .filter(ticket -> ticket.replica().equals(replica))
                    .allMatch(removed::contains)) {
                paths.add(path);
            }
        }
        return remove(seen, places, paths, conditions, values)
                .expressionAttributeNames(names)
                .build();
    }

    /** Safe to repeat: a ticket is not added twice. */
    private UpdateItemRequest append(
            LockRecord seen, Ticket ticket, Presence presence, boolean mapMissing, Instant now) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":none", AttributeValue.fromL(List.of()));
        values.put(":tickets", AttributeValue.fromL(List.of(LockItem.ticket(ticket))));
        values.put(":ticket", LockItem.ticket(ticket));
        values.put(":max", number(waitersMax));
        var condition = "attribute_exists(PK) AND (attribute_not_exists(waiters)"
                + " OR (size(waiters) < :max AND NOT contains(waiters, :ticket)))";
        var update = "SET waiters = list_append(if_not_exists(waiters, :none), :tickets)";
        var gone = longGone(seen.queue(), presence.replica(), now);
        if (gone.isEmpty()) {
            return confirming(seen, update, condition, values, presence, mapMissing);
        }
        // A restarted replica has a new name. The map of a queue that is never empty would grow without this.
        values.put(":gone", time(seen.queue().presence().get(gone.get())));
        return confirming(seen, update, condition + " AND " + PRESENCE + ".#gone = :gone", values, presence, false)
                .toBuilder()
                .updateExpression(update + ", presence.#replica = :present_until REMOVE " + PRESENCE + ".#gone")
                .expressionAttributeNames(Map.of(
                        "#replica",
                        presence.replica().value(),
                        "#gone",
                        gone.get().value()))
                .build();
    }

    /** A replica without tickets that has not confirmed any for a long time. */
    private static Optional<ReplicaId> longGone(WaitQueue queue, ReplicaId self, Instant now) {
        return queue.presence().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(self)
                        && entry.getValue().plus(GONE_AFTER).isBefore(now))
                .map(Map.Entry::getKey)
                .filter(replica -> queue.tickets().stream()
                        .noneMatch(ticket -> ticket.replica().equals(replica)))
                .findFirst();
    }

    private UpdateItemRequest takeOver(
            LockRecord seen, int place, Ticket ticket, Presence presence, boolean mapMissing) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":before", LockItem.ticket(seen.queue().tickets().get(place)));
        values.put(":ticket", LockItem.ticket(ticket));
        return confirming(
                seen,
                "SET " + ticket(place) + " = :ticket",
                ticket(place) + " = :before",
                values,
                presence,
                mapMissing);
    }

    /** Adds the presence of the replica to a write. DynamoDB refuses a path into a missing map with an error. */
    private UpdateItemRequest confirming(
            LockRecord seen,
            String update,
            String condition,
            Map<String, AttributeValue> values,
            Presence presence,
            boolean mapMissing) {
        if (mapMissing && seen.queue().presence().isEmpty()) {
            values.put(
                    ":presences", AttributeValue.fromM(Map.of(presence.replica().value(), time(presence.until()))));
            return write(
                            seen.name(),
                            update + ", presence = :presences",
                            condition + " AND attribute_not_exists(presence)",
                            values)
                    .build();
        }
        values.put(":present_until", time(presence.until()));
        return write(
                        seen.name(),
                        update + ", presence.#replica = :present_until",
                        condition + " AND attribute_exists(presence)",
                        values)
                .expressionAttributeNames(Map.of("#replica", presence.replica().value()))
                .build();
    }

    /** Succeeds only if the replica has a presence. Otherwise it has no ticket in this queue. */
    UpdateItemRequest confirmTickets(LockName name, Presence presence) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":present_until", time(presence.until()));
        return write(
                        name,
                        "SET presence.#replica = :present_until",
                        "attribute_exists(waiters[0]) AND attribute_exists(presence.#replica)",
                        values)
                .expressionAttributeNames(Map.of("#replica", presence.replica().value()))
                .build();
    }

    UpdateItemRequest leave(LeaseRef ref, int place, AttemptId attempt) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":lock_id", text(ref.id().value()));
        OwnerCondition.putInto(values, ref.owner());
        values.put(":attempt", text(attempt.value()));
        var ticket = ticket(place);
        return write(
                        ref.name(),
                        "REMOVE " + ticket,
                        ticket + ".lock_id = :lock_id AND " + OwnerCondition.ofTicket(ticket, ref.owner()) + " AND "
                                + ticket + ".attempt = :attempt",
                        values)
                .build();
    }

    private UpdateItemRequest.Builder write(
            LockName name, String update, String condition, Map<String, AttributeValue> values) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(name))
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }
}

package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.lock.LockItem.WAITERS;

import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The condition that a request is next in the queue.
 *
 * @param removed the paths that the grant removes
 * @param last whether the queue is empty after the grant
 */
record QueueTurn(String condition, List<String> removed, boolean last) {
    /**
     * @param queue the queue on which the rules granted the lock: the deadlines of all tickets before the request's
     *     have passed
     * @param values receives the values of the condition; must contain the request's lock_id and those of
     *     {@link OwnerCondition}
     */
    static QueueTurn of(AcquireRequest request, WaitQueue queue, Map<String, AttributeValue> values) {
        // A client may have sent the same request twice at once.
        var own = queue.placesOf(request.ref()).boxed().toList();
        if (own.isEmpty()) {
            return new QueueTurn(asSeen(queue, values), List.of(WAITERS), true);
        }
        var first = own.getFirst();
        var conditions = new ArrayList<String>();
        own.forEach(i -> conditions.add(
                ticket(i) + ".lock_id = :lock_id AND " + OwnerCondition.ofTicket(ticket(i), request.owner())));
        if (queue.tickets().get(first).attempt().equals(request.attempt())) {
            // A later attempt of the same request may take over the place at the same moment.
            conditions.add(ticket(first) + ".attempt = :attempt");
        }
        // The same holds for an overdue ticket that this grant skips. Taken over, it is no longer overdue.
        IntStream.range(0, first)
                .forEach(i -> conditions.add(asSeen(i, queue.tickets().get(i), values)));
        var removed = IntStream.range(0, queue.size())
                .filter(i -> i < first || own.contains(i))
                .mapToObj(QueueTurn::ticket)
                .toList();
        return new QueueTurn(String.join(" AND ", conditions), removed, false);
    }

    private static String asSeen(int place, Ticket ticket, Map<String, AttributeValue> values) {
        values.put(":passed" + place, text(ticket.attempt().value()));
        var attempt = ticket(place) + ".attempt";
        // Tickets of earlier builds have no attempt.
        return "(attribute_not_exists(" + attempt + ") OR " + attempt + " = :passed" + place + ")";
    }

    /** The condition that the whole queue is as it was read. */
    static String asSeen(WaitQueue queue, Map<String, AttributeValue> values) {
        if (queue.isEmpty()) {
            values.put(":zero", number(0));
            return "attribute_not_exists(waiters) OR size(waiters) = :zero";
        }
        values.put(":waiters", LockItem.queue(queue));
        return "waiters = :waiters";
    }

    /** The path of a ticket in the item. */
    static String ticket(int place) {
        return WAITERS + "[" + place + "]";
    }
}

package io.holdfast.store.dynamodb;

import static io.holdfast.store.dynamodb.LockItem.WAITERS;
import static io.holdfast.store.dynamodb.LockItem.number;
import static io.holdfast.store.dynamodb.LockItem.text;

import io.holdfast.lock.AcquireRequest;
import io.holdfast.lock.Asker;
import io.holdfast.lock.LeaseRef;
import io.holdfast.lock.Line;
import io.holdfast.lock.LockName;
import io.holdfast.lock.LockRecord;
import io.holdfast.lock.Ticket;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The line of a lock as conditions and updates. Tickets join at the end and leave anywhere, so one that stands where it
 * stood has the same ones before it as it had then.
 */
final class LineWrites {
    private final String table;
    private final int waitersMax;

    LineWrites(String table, int waitersMax) {
        this.table = table;
        this.waitersMax = waitersMax;
    }

    /** Whose turn it is, as a condition, and which paths then go. */
    record Turn(String condition, List<String> removed) {}

    /**
     * @param line by which the rules have granted it: those before it have given up
     * @param values for the condition; the request's lock_id and owner are among them already
     */
    static Turn turn(AcquireRequest request, Line line, Map<String, AttributeValue> values) {
        // The same request may have been asked twice at the same moment.
        var mine = line.placesOf(request.ref()).boxed().toList();
        if (mine.isEmpty()) {
            return new Turn(asSeen(line, values), line.isEmpty() ? List.of() : List.of(WAITERS));
        }
        var condition = mine.stream()
                .map(i -> ticket(i) + ".lock_id = :lock_id AND " + ticket(i) + ".owner_id = :owner")
                .collect(Collectors.joining(" AND "));
        var going = IntStream.range(0, line.size())
                .filter(i -> i < mine.getFirst() || mine.contains(i))
                .mapToObj(LineWrites::ticket)
                .toList();
        return new Turn(condition, going);
    }

    static String asSeen(Line line, Map<String, AttributeValue> values) {
        if (line.isEmpty()) {
            values.put(":zero", number(0));
            return "attribute_not_exists(waiters) OR size(waiters) = :zero";
        }
        values.put(":waiters", LockItem.line(line));
        return "waiters = :waiters";
    }

    /**
     * Joins the line, or takes over the place of the same request asked before.
     *
     * @param seen the record before
     * @param joined the line as the rules want it
     */
    UpdateItemRequest join(AcquireRequest request, LockRecord seen, Line joined, Instant now) {
        var ticket = joined.tickets().get(joined.placeOf(request.ref()).orElseThrow());
        if (!seen.line().aliveAt(now).equals(seen.line())) {
            return sweepUp(request.name(), seen.line(), joined);
        }
        var before = seen.line().placeOf(request.ref());
        return before.isPresent()
                ? takeOver(
                        request.name(), before.getAsInt(), seen.line().tickets().get(before.getAsInt()), ticket)
                : append(request.name(), ticket);
    }

    /** Those who have given up go with it. */
    private UpdateItemRequest sweepUp(LockName name, Line seen, Line joined) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":joined", LockItem.line(joined));
        return write(name, "SET waiters = :joined", asSeen(seen, values), values);
    }

    private UpdateItemRequest takeOver(LockName name, int place, Ticket before, Ticket ticket) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":before", LockItem.ticket(before));
        values.put(":ticket", LockItem.ticket(ticket));
        return write(name, "SET " + ticket(place) + " = :ticket", ticket(place) + " = :before", values);
    }

    /** Safe to repeat: a ticket that is there already is not put there twice. */
    private UpdateItemRequest append(LockName name, Ticket ticket) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":none", AttributeValue.fromL(List.of()));
        values.put(":tickets", AttributeValue.fromL(List.of(LockItem.ticket(ticket))));
        values.put(":ticket", LockItem.ticket(ticket));
        values.put(":max", number(waitersMax));
        return write(
                name,
                "SET waiters = list_append(if_not_exists(waiters, :none), :tickets)",
                "attribute_exists(PK) AND (attribute_not_exists(waiters)"
                        + " OR (size(waiters) < :max AND NOT contains(waiters, :ticket)))",
                values);
    }

    UpdateItemRequest leave(LeaseRef ref, int place, Asker asker) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":lock_id", text(ref.id().value()));
        values.put(":owner", text(ref.owner().value()));
        values.put(":asker", text(asker.value()));
        var ticket = ticket(place);
        return write(
                ref.name(),
                "REMOVE " + ticket,
                ticket + ".lock_id = :lock_id AND " + ticket + ".owner_id = :owner AND " + ticket + ".asker = :asker",
                values);
    }

    private UpdateItemRequest write(
            LockName name, String update, String condition, Map<String, AttributeValue> values) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(name))
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    private static String ticket(int place) {
        return WAITERS + "[" + place + "]";
    }
}

package io.holdfast.lock;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Those who wait for one lock, the longest waiting first. Tickets join at the end and leave anywhere, nothing else. */
public record Line(List<Ticket> tickets) {
    public static final Line EMPTY = new Line(List.of());

    public Line {
        tickets = List.copyOf(tickets);
    }

    /** Without the tickets whose deadline has passed. */
    public Line aliveAt(Instant now) {
        return tickets.stream().allMatch(ticket -> ticket.aliveAt(now))
                ? this
                : new Line(
                        tickets.stream().filter(ticket -> ticket.aliveAt(now)).toList());
    }

    public int size() {
        return tickets.size();
    }

    public boolean isEmpty() {
        return tickets.isEmpty();
    }

    /** Where the ticket stands, from 0. */
    public OptionalInt placeOf(LeaseRef ref) {
        return IntStream.range(0, tickets.size())
                .filter(i -> tickets.get(i).is(ref))
                .findFirst();
    }

    /** Where the ticket stands that this very asker has come for. */
    public OptionalInt placeOf(LeaseRef ref, Asker asker) {
        return IntStream.range(0, tickets.size())
                .filter(i -> tickets.get(i).is(ref) && tickets.get(i).asker().equals(asker))
                .findFirst();
    }

    /** A request that was asked twice at the same moment may stand there twice. */
    public IntStream placesOf(LeaseRef ref) {
        return IntStream.range(0, tickets.size()).filter(i -> tickets.get(i).is(ref));
    }

    Line with(Ticket last) {
        var longer = new ArrayList<>(tickets);
        longer.add(last);
        return new Line(longer);
    }

    Line replaced(int place, Ticket ticket) {
        var changed = new ArrayList<>(tickets);
        changed.set(place, ticket);
        return new Line(changed);
    }

    Line without(int place) {
        var shorter = new ArrayList<>(tickets);
        shorter.remove(place);
        return new Line(shorter);
    }

    Line without(LeaseRef ref) {
        return new Line(tickets.stream().filter(ticket -> !ticket.is(ref)).toList());
    }
}

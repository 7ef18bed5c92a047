package io.holdfast.lock.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The waiters of one lock in first-in, first-out order. A ticket joins at the end and can leave from any place.
 *
 * @param presence the last confirmation of each replica. Tickets of a replica without one stay until their deadlines
 */
public record WaitQueue(List<Ticket> tickets, Map<ReplicaId, Instant> presence) {
    public static final WaitQueue EMPTY = new WaitQueue(List.of(), Map.of());

    public WaitQueue {
        tickets = List.copyOf(tickets);
        presence = Map.copyOf(presence);
    }

    /** Without the tickets whose deadline has passed. */
    public WaitQueue aliveAt(Instant now) {
        return tickets.stream().noneMatch(ticket -> ticket.overdueAt(now))
                ? this
                : new WaitQueue(
                        tickets.stream()
                                .filter(ticket -> !ticket.overdueAt(now))
                                .toList(),
                        presence);
    }

    /** The presences of the replicas that have tickets here. */
    public List<Presence> presences() {
        return tickets.stream()
                .map(Ticket::replica)
                .distinct()
                .filter(presence::containsKey)
                .map(replica -> new Presence(replica, presence.get(replica)))
                .toList();
    }

    /** Whether the ticket's replica has not confirmed it again since one of these presences. */
    public boolean isUnconfirmedSince(List<Presence> observed, Ticket ticket) {
        return observed.stream()
                .anyMatch(seen ->
                        seen.replica().equals(ticket.replica()) && seen.until().equals(presence.get(seen.replica())));
    }

    public int size() {
        return tickets.size();
    }

    public boolean isEmpty() {
        return tickets.isEmpty();
    }

    /** The place of the ticket, from 0. */
    public OptionalInt placeOf(LeaseRef ref) {
        return IntStream.range(0, tickets.size())
                .filter(i -> tickets.get(i).is(ref))
                .findFirst();
    }

    /** The place of the ticket, from 0, if it belongs to this attempt. */
    public OptionalInt placeOf(LeaseRef ref, AttemptId attempt) {
        return IntStream.range(0, tickets.size())
                .filter(i -> tickets.get(i).is(ref) && tickets.get(i).attempt().equals(attempt))
                .findFirst();
    }

    /** All places of the request. Two concurrent attempts of one request can both have a ticket. */
    public IntStream placesOf(LeaseRef ref) {
        return IntStream.range(0, tickets.size()).filter(i -> tickets.get(i).is(ref));
    }

    public boolean hasTicketsOf(ReplicaId replica) {
        return tickets.stream().anyMatch(ticket -> ticket.replica().equals(replica));
    }

    public WaitQueue with(Ticket last) {
        var longer = new ArrayList<>(tickets);
        longer.add(last);
        return new WaitQueue(longer, presence);
    }

    public WaitQueue with(Presence confirmed) {
        var newer = new HashMap<>(presence);
        newer.put(confirmed.replica(), confirmed.until());
        return new WaitQueue(tickets, newer);
    }

    public WaitQueue replaced(int place, Ticket ticket) {
        var changed = new ArrayList<>(tickets);
        changed.set(place, ticket);
        return new WaitQueue(changed, presence);
    }

    /** Without the tickets of replicas that are gone, and without their presences. */
    public WaitQueue evicted(List<Presence> gone) {
        var kept = tickets.stream()
                .filter(ticket -> !isUnconfirmedSince(gone, ticket))
                .toList();
        var present = new HashMap<>(presence);
        gone.forEach(seen -> present.remove(seen.replica(), seen.until()));
        return kept.size() == tickets.size() ? this : new WaitQueue(kept, present);
    }

    public WaitQueue without(int place) {
        var shorter = new ArrayList<>(tickets);
        shorter.remove(place);
        return new WaitQueue(shorter, presence);
    }

    public WaitQueue without(LeaseRef ref) {
        return new WaitQueue(tickets.stream().filter(ticket -> !ticket.is(ref)).toList(), presence);
    }
}

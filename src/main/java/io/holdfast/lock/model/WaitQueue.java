package io.holdfast.lock.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Those who wait for one lock, the longest waiting first. Tickets join at the end and leave anywhere, nothing else.
 *
 * @param presence what each replica last confirmed its tickets with; of one that is not named they stay until their
 *     deadlines
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

    /** Where the ticket stands, from 0. */
    public OptionalInt placeOf(LeaseRef ref) {
        return IntStream.range(0, tickets.size())
                .filter(i -> tickets.get(i).is(ref))
                .findFirst();
    }

    /** Where the ticket stands that this very attempt has come for. */
    public OptionalInt placeOf(LeaseRef ref, AttemptId attempt) {
        return IntStream.range(0, tickets.size())
                .filter(i -> tickets.get(i).is(ref) && tickets.get(i).attempt().equals(attempt))
                .findFirst();
    }

    /** A request that was asked twice at the same moment may stand there twice. */
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

    public WaitQueue with(Presence given) {
        var newer = new HashMap<>(presence);
        newer.put(given.replica(), given.until());
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

package io.holdfast.lock.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What happens in a kind of histories, and how often. Everything that is not said does not happen. */
final class Profile {
    /** Things that happen to replicas and to the store by themselves. */
    enum Disturbance {
        /** A replica's process stands still for up to three leases, and goes on. */
        FREEZE,
        /** The same with the whole machine, so that its monotonic clock stands still as well. */
        SUSPEND,
        /** A replica is killed, and another one takes its place. */
        DIE,
        /** A replica is told to shut down, and another one takes its place. */
        DRAIN,
        /** A replica's clock is set within the guard. */
        CLOCK_DRIFT,
        /** A replica's clock is set far ahead, and right again later. */
        CLOCK_AHEAD,
        /** A replica's clock is set far behind, and right again later. */
        CLOCK_BEHIND,
        SWEEP,
        /** The database deletes items whose time to live is over. */
        TIDY_UP,
        /** The store answers no replica for 20 to 60 seconds. */
        OUTAGE,
        FORCE_RELEASE,
        /** Somebody looks at a lock. */
        LOOK
    }

    private int replicas = 3;
    private int locks = 2;
    private Duration length = Duration.ofMinutes(4);
    private Duration ttl = Duration.ofSeconds(12);
    private Duration workMax = Duration.ofSeconds(40);
    private Duration thinkMax = Duration.ofSeconds(5);
    private int leaseClients;
    private int holdClients;
    private int setClients;
    private int heartbeatClients;
    private double waits = 0.5;
    private Duration waitMax = Duration.ofSeconds(30);
    private boolean keepsOrder;
    private boolean oneOwnerName;
    private double pauses;
    private double moves;
    private double repeats;
    private double storeTrouble;
    private List<Fate> storeFates = List.of(Fate.values());
    private double clientTrouble;
    private double lateDuplicates;
    private Duration clockStep = Duration.ofMinutes(10);
    private Duration disturbEvery = Duration.ofSeconds(10);
    private final List<Disturbance> disturbances = new ArrayList<>();

    Profile replicas(int count) {
        replicas = count;
        return this;
    }

    Profile locks(int count) {
        locks = count;
        return this;
    }

    /** @param work the longest that a client works under a lock
     *  @param think the longest that it does without one */
    Profile times(Duration historyLength, Duration leaseTtl, Duration work, Duration think) {
        length = historyLength;
        ttl = leaseTtl;
        workMax = work;
        thinkMax = think;
        return this;
    }

    /** Clients that acquire, renew and release. */
    Profile leases(int clients) {
        leaseClients = clients;
        return this;
    }

    /** Clients that hold a lock by a connection. */
    Profile holds(int clients) {
        holdClients = clients;
        return this;
    }

    /** Clients that take several locks together. */
    Profile sets(int clients) {
        setClients = clients;
        return this;
    }

    /** Clients whose leases are renewed by the service as long as they send heartbeats. */
    Profile heartbeats(int clients) {
        heartbeatClients = clients;
        return this;
    }

    /** How many of the acquisitions wait in the queue. */
    Profile waiting(double share) {
        waits = share;
        return this;
    }

    /** The longest that an acquisition waits. */
    Profile waitMax(Duration most) {
        waitMax = most;
        return this;
    }

    /** Nothing happens by which a waiting client at a living replica may lose its place. */
    Profile inOrder() {
        keepsOrder = true;
        return this;
    }

    /**
     * All clients have the same owner string and different subjects, and some use a lock_id that another one has used.
     * They are different owners.
     */
    Profile oneOwnerName() {
        oneOwnerName = true;
        return this;
    }

    /** How many of the renewals come late, because their client stood still beyond its deadline. */
    Profile pauses(double share) {
        pauses = share;
        return this;
    }

    /** How likely a held connection breaks, for each tick, and the replica does not notice soon. */
    Profile moves(double share) {
        moves = share;
        return this;
    }

    /** How many of the renewals are instead the acquire asked again under the same lock_id. */
    Profile repeats(double share) {
        repeats = share;
        return this;
    }

    /** How many requests to the store meet one of these fates. */
    Profile storeTrouble(double share, Fate... fates) {
        storeTrouble = share;
        storeFates = fates.length == 0 ? List.of(Fate.values()) : List.of(fates);
        return this;
    }

    /** How many requests of clients, and how many answers, are lost. */
    Profile clientTrouble(double share) {
        clientTrouble = share;
        return this;
    }

    /** How many requests of clients arrive once more, up to a minute later. */
    Profile lateDuplicates(double share) {
        lateDuplicates = share;
        return this;
    }

    Profile clockStep(Duration step) {
        clockStep = step;
        return this;
    }

    Profile disturbEvery(Duration mean) {
        disturbEvery = mean;
        return this;
    }

    /** @param weight how often compared with the others */
    Profile disturbance(Disturbance what, int weight) {
        disturbances.addAll(Collections.nCopies(weight, what));
        return this;
    }

    int replicas() {
        return replicas;
    }

    int locks() {
        return locks;
    }

    Duration length() {
        return length;
    }

    Duration ttl() {
        return ttl;
    }

    Duration workMax() {
        return workMax;
    }

    Duration thinkMax() {
        return thinkMax;
    }

    int leaseClients() {
        return leaseClients;
    }

    int holdClients() {
        return holdClients;
    }

    int setClients() {
        return setClients;
    }

    int heartbeatClients() {
        return heartbeatClients;
    }

    double waits() {
        return waits;
    }

    Duration waitMax() {
        return waitMax;
    }

    boolean keepsOrder() {
        return keepsOrder;
    }

    boolean hasOneOwnerName() {
        return oneOwnerName;
    }

    double pauses() {
        return pauses;
    }

    double moves() {
        return moves;
    }

    double repeats() {
        return repeats;
    }

    double storeTrouble() {
        return storeTrouble;
    }

    List<Fate> storeFates() {
        return storeFates;
    }

    double clientTrouble() {
        return clientTrouble;
    }

    double lateDuplicates() {
        return lateDuplicates;
    }

    Duration clockStep() {
        return clockStep;
    }

    Duration disturbEvery() {
        return disturbEvery;
    }

    List<Disturbance> disturbances() {
        return disturbances;
    }
}

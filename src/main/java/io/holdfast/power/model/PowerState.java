package io.holdfast.power.model;

import io.holdfast.registry.AppName;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The stored power state of one database.
 *
 * @param epoch increases with every decision; later writes about a decision are conditional on its epoch
 * @param since when the phase began
 */
public record PowerState(Phase phase, long epoch, Instant since, Intents intents) {
    public static final PowerState INITIAL = new PowerState(Phase.UNDECIDED, 0, Instant.EPOCH, Intents.NONE);

    /**
     * What the apps have requested.
     *
     * @param version increases with every start claim, so that a stop decided before the claim cannot be committed
     * @param stopRequests when each app requested a stop
     * @param startClaims when the start claim of each app expires
     */
    public record Intents(long version, Map<AppName, Instant> stopRequests, Map<AppName, Instant> startClaims) {
        public static final Intents NONE = new Intents(0, Map.of(), Map.of());

        public Intents {
            stopRequests = Collections.unmodifiableMap(new TreeMap<>(stopRequests));
            startClaims = Collections.unmodifiableMap(new TreeMap<>(startClaims));
        }

        /** Adds a stop request of the app and removes its start claim. */
        public Intents requestStop(AppName app, Instant now) {
            var newRequests = new TreeMap<>(stopRequests);
            newRequests.put(app, now);
            var newClaims = new TreeMap<>(startClaims);
            newClaims.remove(app);
            return new Intents(version, newRequests, newClaims);
        }

        /** Adds a start claim of the app and removes its stop request. */
        public Intents claimStart(AppName app, Instant until) {
            var newClaims = new TreeMap<>(startClaims);
            newClaims.put(app, until);
            var newRequests = new TreeMap<>(stopRequests);
            newRequests.remove(app);
            return new Intents(version + 1, newRequests, newClaims);
        }

        /** Whether the app has a start claim, and the same one in {@code other}. */
        public boolean claimsAsIn(Intents other, AppName app) {
            return startClaims.containsKey(app) && startClaims.get(app).equals(other.startClaims.get(app));
        }

        /**
         * The apps whose intents can be removed: those that are not linked. The latest stop request among them is kept,
         * so that the database is still stopped.
         */
        public Set<AppName> removableApps(Set<AppName> linked) {
            var removable = new TreeSet<>(stopRequests.keySet());
            removable.addAll(startClaims.keySet());
            removable.removeAll(linked);
            removable.stream()
                    .filter(stopRequests::containsKey)
                    .max(Comparator.comparing(stopRequests::get))
                    .ifPresent(removable::remove);
            return removable;
        }

        /** Whether the intents of these apps are the same in {@code other}. */
        public boolean saysAsIn(Intents other, Set<AppName> apps) {
            return apps.stream()
                    .allMatch(app -> Objects.equals(stopRequests.get(app), other.stopRequests.get(app))
                            && Objects.equals(startClaims.get(app), other.startClaims.get(app)));
        }

        public Intents without(Set<AppName> apps) {
            var newRequests = new TreeMap<>(stopRequests);
            newRequests.keySet().removeAll(apps);
            var newClaims = new TreeMap<>(startClaims);
            newClaims.keySet().removeAll(apps);
            return new Intents(version, newRequests, newClaims);
        }

        public Set<AppName> claimantsAt(Instant now) {
            var claimants = new TreeSet<AppName>();
            startClaims.forEach((app, until) -> {
                if (now.isBefore(until)) {
                    claimants.add(app);
                }
            });
            return claimants;
        }
    }

    /** Whether the reconciler has something to do here. */
    public boolean pendingAt(Instant now) {
        return switch (phase) {
            case STOPPING, STARTING, STOP_STUCK -> true;
            // STOPPED is checked, too: a database can be started outside Holdfast.
            case UNDECIDED, RUNNING, STOPPED ->
                !intents.stopRequests().isEmpty() || !intents.claimantsAt(now).isEmpty();
        };
    }

    /** The first epoch is the current time, so that epochs still increase when a database is registered again. */
    public long nextEpoch(Instant now) {
        return epoch == 0 ? now.toEpochMilli() : epoch + 1;
    }

    public PowerState with(Intents newIntents) {
        return new PowerState(phase, epoch, since, newIntents);
    }

    public PowerState next(Phase newPhase, Instant now) {
        return new PowerState(newPhase, nextEpoch(now), now, intents);
    }

    public PowerState settled(Phase newPhase, Instant newSince) {
        return new PowerState(newPhase, epoch, newSince, intents);
    }
}

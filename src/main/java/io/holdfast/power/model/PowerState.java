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
 * What Holdfast knows and wants of one database.
 *
 * @param phase what was decided last
 * @param epoch rises with every decision; every later write about that decision names it
 * @param since when the phase began
 * @param intents what the apps asked for
 */
public record PowerState(Phase phase, long epoch, Instant since, Intents intents) {
    public static final PowerState INITIAL = new PowerState(Phase.UNDECIDED, 0, Instant.EPOCH, Intents.NONE);

    /**
     * @param version rises with every hold placed, so that a stop that has not seen it cannot be committed
     * @param stopRequests who wants the database stopped, since when
     * @param startClaims who needs it, until when
     */
    public record Intents(long version, Map<AppName, Instant> stopRequests, Map<AppName, Instant> startClaims) {
        public static final Intents NONE = new Intents(0, Map.of(), Map.of());

        public Intents {
            stopRequests = Collections.unmodifiableMap(new TreeMap<>(stopRequests));
            startClaims = Collections.unmodifiableMap(new TreeMap<>(startClaims));
        }

        /** The app no longer needs the database: its wish stands in place of its hold. */
        public Intents requestStop(AppName app, Instant now) {
            var newWishes = new TreeMap<>(stopRequests);
            newWishes.put(app, now);
            var newHolds = new TreeMap<>(startClaims);
            newHolds.remove(app);
            return new Intents(version, newWishes, newHolds);
        }

        /** The app needs the database: its hold stands in place of its wish. */
        public Intents claimStart(AppName app, Instant until) {
            var newHolds = new TreeMap<>(startClaims);
            newHolds.put(app, until);
            var newWishes = new TreeMap<>(stopRequests);
            newWishes.remove(app);
            return new Intents(version + 1, newWishes, newHolds);
        }

        /** Whether the app's hold is the one that it has in {@code other}. */
        public boolean claimsAsIn(Intents other, AppName app) {
            return startClaims.containsKey(app) && startClaims.get(app).equals(other.startClaims.get(app));
        }

        /**
         * Who has said something here and no longer uses the database. The last wish among theirs stays: that somebody
         * wanted the database stopped is still true.
         */
        public Set<AppName> goneWhen(Set<AppName> linked) {
            var gone = new TreeSet<>(stopRequests.keySet());
            gone.addAll(startClaims.keySet());
            gone.removeAll(linked);
            gone.stream()
                    .filter(stopRequests::containsKey)
                    .max(Comparator.comparing(stopRequests::get))
                    .ifPresent(gone::remove);
            return gone;
        }

        /** Whether these apps ask for the same here as there. */
        public boolean saysAsIn(Intents other, Set<AppName> apps) {
            return apps.stream()
                    .allMatch(app -> Objects.equals(stopRequests.get(app), other.stopRequests.get(app))
                            && Objects.equals(startClaims.get(app), other.startClaims.get(app)));
        }

        public Intents without(Set<AppName> apps) {
            var newWishes = new TreeMap<>(stopRequests);
            newWishes.keySet().removeAll(apps);
            var newHolds = new TreeMap<>(startClaims);
            newHolds.keySet().removeAll(apps);
            return new Intents(version, newWishes, newHolds);
        }

        public Set<AppName> claimantsAt(Instant now) {
            var holders = new TreeSet<AppName>();
            startClaims.forEach((app, until) -> {
                if (now.isBefore(until)) {
                    holders.add(app);
                }
            });
            return holders;
        }
    }

    /** Whether the reconciler has something to do here. */
    public boolean pendingAt(Instant now) {
        return switch (phase) {
            case STOPPING, STARTING, STOP_STUCK -> true;
            // Stopped as well: not everything that starts a database asks us first.
            case UNDECIDED, RUNNING, STOPPED ->
                !intents.stopRequests().isEmpty() || !intents.claimantsAt(now).isEmpty();
        };
    }

    /** Begins at the time of the first decision, so that it rises on when a database is registered once more. */
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

package io.holdfast.power;

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
     * @param wishes who wants the database stopped, since when
     * @param holds who needs it, until when
     */
    public record Intents(long version, Map<AppName, Instant> wishes, Map<AppName, Instant> holds) {
        public static final Intents NONE = new Intents(0, Map.of(), Map.of());

        public Intents {
            wishes = Collections.unmodifiableMap(new TreeMap<>(wishes));
            holds = Collections.unmodifiableMap(new TreeMap<>(holds));
        }

        /** The app no longer needs the database: its wish stands in place of its hold. */
        public Intents wish(AppName app, Instant now) {
            var newWishes = new TreeMap<>(wishes);
            newWishes.put(app, now);
            var newHolds = new TreeMap<>(holds);
            newHolds.remove(app);
            return new Intents(version, newWishes, newHolds);
        }

        /** The app needs the database: its hold stands in place of its wish. */
        public Intents hold(AppName app, Instant until) {
            var newHolds = new TreeMap<>(holds);
            newHolds.put(app, until);
            var newWishes = new TreeMap<>(wishes);
            newWishes.remove(app);
            return new Intents(version + 1, newWishes, newHolds);
        }

        /** Whether the app's hold is the one that it has in {@code other}. */
        public boolean holdsAsIn(Intents other, AppName app) {
            return holds.containsKey(app) && holds.get(app).equals(other.holds.get(app));
        }

        /**
         * Who has said something here and no longer uses the database. The last wish among theirs stays: that somebody
         * wanted the database stopped is still true.
         */
        public Set<AppName> goneWhen(Set<AppName> linked) {
            var gone = new TreeSet<>(wishes.keySet());
            gone.addAll(holds.keySet());
            gone.removeAll(linked);
            gone.stream()
                    .filter(wishes::containsKey)
                    .max(Comparator.comparing(wishes::get))
                    .ifPresent(gone::remove);
            return gone;
        }

        /** Whether these apps ask for the same here as there. */
        public boolean saysAsIn(Intents other, Set<AppName> apps) {
            return apps.stream()
                    .allMatch(app -> Objects.equals(wishes.get(app), other.wishes.get(app))
                            && Objects.equals(holds.get(app), other.holds.get(app)));
        }

        public Intents without(Set<AppName> apps) {
            var newWishes = new TreeMap<>(wishes);
            newWishes.keySet().removeAll(apps);
            var newHolds = new TreeMap<>(holds);
            newHolds.keySet().removeAll(apps);
            return new Intents(version, newWishes, newHolds);
        }

        public Set<AppName> holdersAt(Instant now) {
            var holders = new TreeSet<AppName>();
            holds.forEach((app, until) -> {
                if (now.isBefore(until)) {
                    holders.add(app);
                }
            });
            return holders;
        }
    }

    /** Whether the reconciler has something to do here. */
    public boolean unsettledAt(Instant now) {
        return switch (phase) {
            case STOPPING, STARTING, STOP_STUCK -> true;
            // Stopped as well: not everything that starts a database asks us first.
            case UNDECIDED, RUNNING, STOPPED ->
                !intents.wishes().isEmpty() || !intents.holdersAt(now).isEmpty();
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

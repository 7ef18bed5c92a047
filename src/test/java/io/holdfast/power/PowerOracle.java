package io.holdfast.power;

import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.power.model.Overview;
import io.holdfast.power.port.Actuator;
import io.holdfast.registry.AppName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What must be true of a database, from what clients were told and from what the test itself did. It never reads what is
 * stored.
 */
final class PowerOracle {
    private final World world;
    private final Map<AppName, Word> words = new HashMap<>();
    private final Map<AppName, Long> linkedSince = new HashMap<>();
    private final Map<AppName, Long> statusSince = new HashMap<>();
    private final Set<AppName> underWay = new HashSet<>();
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
    private long moment;
    private long registeredAt;
    private boolean stopAsked;

    /** The last thing that an app asked for. */
    private static final class Word {
        final boolean stop;
        final boolean acknowledged;
        final long moment;
        final Instant askedAt;
        boolean wasDown;
        boolean takenBack;
        boolean left;

        Word(boolean stop, boolean acknowledged, long moment, Instant askedAt) {
            this.stop = stop;
            this.acknowledged = acknowledged;
            this.moment = moment;
            this.askedAt = askedAt;
        }
    }

    PowerOracle(World world) {
        this.world = world;
    }

    synchronized long nextMoment() {
        return ++moment;
    }

    List<String> violations() {
        return violations;
    }

    synchronized void linked(AppName app) {
        linkedSince.putIfAbsent(app, nextMoment());
    }

    synchronized void unlinked(AppName app) {
        linkedSince.remove(app);
        Optional.ofNullable(words.get(app)).ifPresent(word -> word.left = true);
    }

    /** What was asked for belonged to the registration that is gone. */
    synchronized void registeredAnew() {
        words.clear();
        stopAsked = false;
        registeredAt = nextMoment();
    }

    synchronized void is(AppName app, AppStatus status) {
        statusSince.put(app, nextMoment());
        var word = words.get(app);
        if (word == null || !word.stop) {
            return;
        }
        word.takenBack |= status == AppStatus.UP && word.wasDown;
        word.wasDown |= status == AppStatus.DOWN;
    }

    /**
     * A request of an app.
     *
     * @param began the moment at which it was sent
     * @param crosses whether another one of the same app was under way: these have no order that a client can rely on
     */
    record Request(AppName app, long began, Instant at, boolean crosses) {}

    /** From now until its answer nothing is certain of what the app asked for. */
    synchronized Request asks(AppName app, boolean stop) {
        var request = new Request(app, nextMoment(), world.clock.instant(), !underWay.add(app));
        stopAsked |= stop;
        words.put(app, new Word(stop, false, request.began(), request.at()));
        return request;
    }

    /** @param told nothing if no answer came */
    synchronized void askedToStop(Request request, Optional<Decision> told) {
        var noted = told.filter(PowerOracle::isNoted).isPresent() && isAlone(request);
        var word = new Word(true, noted, nextMoment(), request.at());
        word.wasDown = world.apps.get(request.app()) == AppStatus.DOWN;
        word.left = hasLeftSince(request);
        words.put(request.app(), word);
        stopAsked = true;
    }

    synchronized void askedToStart(Request request, Optional<Decision> told) {
        var held = told.filter(decision -> decision.result() != Result.START_FAILED)
                        .isPresent()
                && isAlone(request);
        var word = new Word(false, held, nextMoment(), request.at());
        word.left = hasLeftSince(request);
        words.put(request.app(), word);
        if (held && isReady(told.orElseThrow()) && world.database.really() != Actuator.State.RUNNING) {
            violations.add(request.app() + " was told that its database runs, and it is " + world.database.really());
        }
    }

    synchronized void answered(Request request) {
        if (!request.crosses()) {
            underWay.remove(request.app());
        }
    }

    static boolean isReady(Decision decision) {
        return decision.result() == Result.STARTED || decision.result() == Result.RUNNING;
    }

    private boolean hasLeftSince(Request request) {
        var since = linkedSince.get(request.app());
        return since == null || since > request.began();
    }

    private boolean isAlone(Request request) {
        var before = words.get(request.app());
        return !request.crosses()
                && registeredAt < request.began()
                && (before == null || before.moment <= request.began());
    }

    /** What fails on the way may have been noted or not; what is only not possible yet has been. */
    private static boolean isNoted(Decision decision) {
        return decision.result() != Result.STOP_FAILED || decision.reason().contains("it will be retried");
    }

    /** An assertion thrown in here would be taken for a broken actuator, and be answered for. */
    synchronized void stopOrdered(long lastLook, Optional<AppName> asking) {
        linkedSince.forEach((app, since) -> {
            if (since >= lastLook) {
                return;
            }
            var status = world.apps.get(app);
            if (status != AppStatus.DOWN && !asking.equals(Optional.of(app)) && statusSince.get(app) < lastLook) {
                violations.add("stopped while " + app + " is " + status);
            }
            var word = words.get(app);
            if (word != null && isHolding(word) && word.moment < lastLook) {
                violations.add("stopped though " + app + " was told at " + word.askedAt + " that it is held");
            }
        });
    }

    private boolean isHolding(Word word) {
        return !word.stop
                && word.acknowledged
                && world.clock.instant().isBefore(word.askedAt.plus(world.settings.startClaim()));
    }

    /** An app whose stop request was acknowledged, and nothing it did or said since speaks against it. */
    synchronized Optional<AppName> wantsItStopped() {
        var lastOfThoseThatLeft = words.values().stream()
                .filter(word -> word.stop && word.left)
                .max(Comparator.comparing((Word word) -> word.askedAt));
        return words.entrySet().stream()
                .filter(entry -> {
                    var word = entry.getValue();
                    return word.stop
                            && word.acknowledged
                            && !word.takenBack
                            && (!word.left
                                    || lastOfThoseThatLeft.filter(word::equals).isPresent());
                })
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** What a client is shown names every app that was told that its request is noted. */
    synchronized void shown(Overview overview) {
        words.forEach((app, word) -> {
            if (word.stop
                    && word.acknowledged
                    && !word.takenBack
                    && !word.left
                    && !overview.stopRequesters().contains(app)) {
                violations.add(app + " was told at " + word.askedAt + " that its stop request is noted; it is gone");
            }
            if (isHolding(word) && !word.left && !overview.claimants().contains(app)) {
                violations.add(app + " was told at " + word.askedAt + " that its start is noted; it is gone");
            }
        });
    }

    /** Whether any app may have asked for a stop since the database was registered. */
    synchronized boolean mayHaveBeenAskedToStop() {
        return stopAsked;
    }
}

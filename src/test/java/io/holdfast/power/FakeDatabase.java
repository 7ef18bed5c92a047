package io.holdfast.power;

import io.holdfast.power.port.Actuator;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;

/** A database as an actuator shows it. It obeys at once, unless the test holds it up. */
final class FakeDatabase implements Actuator {
    final List<String> orders = Collections.synchronizedList(new ArrayList<>());
    final List<Long> epochs = Collections.synchronizedList(new ArrayList<>());
    private final Queue<Outcome> answers = new ArrayDeque<>();
    private State state = State.RUNNING;
    private State afterStop = State.STOPPED;
    private State afterStart = State.RUNNING;
    private int looksUntilItShows;
    private int lag;
    private State shown = State.RUNNING;
    private volatile Runnable onStop = () -> {};

    @Override
    public Uni<Outcome> stop(Database database, long epoch) {
        return Uni.createFrom().item(() -> {
            onStop.run();
            return obey("stop", epoch, afterStop);
        });
    }

    @Override
    public Uni<Outcome> start(Database database, long epoch) {
        return Uni.createFrom().item(() -> obey("start", epoch, afterStart));
    }

    private synchronized Outcome obey(String order, long epoch, State next) {
        orders.add(order);
        epochs.add(epoch);
        var answer = answers.poll();
        if (answer != null) {
            return answer;
        }
        if (state == next) {
            return new Outcome.Already();
        }
        state = next;
        looksUntilItShows = Math.max(looksUntilItShows, lag);
        if (looksUntilItShows == 0) {
            shown = next;
        }
        return new Outcome.Accepted();
    }

    @Override
    public Uni<Reading> state(Database database) {
        return Uni.createFrom().item(() -> new Reading(now(), "as the test says"));
    }

    synchronized State now() {
        if (looksUntilItShows > 0 && shown != state && --looksUntilItShows > 0) {
            return shown;
        }
        shown = state;
        return state;
    }

    /** What it does, whether or not that shows yet. */
    synchronized State really() {
        return state;
    }

    /** From now on it does what it is told, and that shows. */
    synchronized void obeys() {
        answers.clear();
        looksUntilItShows = 0;
        lag = 0;
        afterStop = State.STOPPED;
        if (state == State.STOPPING) {
            becomes(State.STOPPED);
        }
    }

    /** Answers the next order like this, and does nothing about it. */
    synchronized void answersNext(Outcome outcome) {
        answers.add(outcome);
    }

    synchronized void becomes(State newState) {
        state = newState;
        shown = newState;
    }

    synchronized void hangsWhenStopped() {
        afterStop = State.STOPPING;
    }

    synchronized void hangsWhenStarted() {
        afterStart = State.STARTING;
    }

    /** The next change shows only after so many looks. */
    synchronized void lagsBy(int looks) {
        looksUntilItShows = looks;
    }

    /** Every change shows only after so many looks. */
    synchronized void alwaysLagsBy(int looks) {
        lag = looks;
    }

    void onStop(Runnable happening) {
        onStop = happening;
    }

    long stops() {
        return orders.stream().filter(order -> order.equals("stop")).count();
    }
}

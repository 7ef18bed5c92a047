package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.Writer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it was told, one word or sentence each. */
public final class HeardLifecycle implements LifecycleListener {
    public final List<Move> moves = new CopyOnWriteArrayList<>();
    public final List<String> notes = new CopyOnWriteArrayList<>();
    public final List<Counts> counts = new CopyOnWriteArrayList<>();

    @Override
    public void moved(Move move) {
        moves.add(move);
    }

    @Override
    public void refused(ServiceId service, Writer by, WriteOutcome outcome) {
        notes.add("refused " + outcome.getClass().getSimpleName());
    }

    @Override
    public void lockAcquired(ServiceId service, int tries, Duration waited) {
        notes.add("acquired after " + tries);
    }

    @Override
    public void lockExtended(ServiceId service, Duration ttl) {
        notes.add("extended");
    }

    @Override
    public void lockReleased(ServiceId service, Duration held) {
        notes.add("released");
    }

    @Override
    public void lockNotAcquired(ServiceId service, Writer by, int tries, Duration waited) {
        notes.add("not acquired after " + tries + " in " + waited.toMillis() + " ms");
    }

    @Override
    public void lockLost(ServiceId service, Writer by) {
        notes.add("lost");
    }

    @Override
    public void notRepaired(ServiceId service, Observation seen, NoRepair reason) {
        notes.add("not repaired: " + reason);
    }

    @Override
    public void passed(Counts counted) {
        counts.add(counted);
    }

    @Override
    public void notCounted(NoCount reason) {
        notes.add("not counted: " + reason);
    }
}

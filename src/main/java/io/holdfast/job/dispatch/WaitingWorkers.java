package io.holdfast.job.dispatch;

import io.holdfast.job.dispatch.WaitingWorker.State;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore.Section;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The workers that wait at this replica, in the order in which they came. Thread-safe. */
final class WaitingWorkers {
    private static final int ALL_TYPES = JobType.values().length;

    private final Map<WorkerName, WaitingWorker> byName = new LinkedHashMap<>();
    private final int max;

    WaitingWorkers(int max) {
        this.max = max;
    }

    /**
     * Adds a worker. A worker asks once at a time, so its earlier request is over.
     *
     * @return the earlier request, to be answered as having found nothing
     */
    synchronized Optional<WaitingWorker> add(WaitingWorker worker) {
        var name = worker.request().worker();
        if (byName.size() >= max && !byName.containsKey(name)) {
            throw new TooManyWaitingException(byName.size());
        }
        var earlier = Optional.ofNullable(byName.remove(name));
        byName.put(name, worker);
        earlier.ifPresent(before -> before.overdue = true);
        return earlier.filter(this::endIfWaiting);
    }

    synchronized int size() {
        return byName.size();
    }

    synchronized List<WaitingWorker> waiting() {
        return byName.values().stream()
                .filter(worker -> worker.state == State.WAITING)
                .toList();
    }

    synchronized List<WaitingWorker> all() {
        return List.copyOf(byName.values());
    }

    /** The parts of the index that waiting workers are interested in. */
    synchronized Set<Section> sections() {
        var types = EnumSet.noneOf(JobType.class);
        for (var worker : byName.values()) {
            if (worker.state == State.WAITING && types.addAll(worker.request().types()) && types.size() == ALL_TYPES) {
                break;
            }
        }
        return Set.copyOf(ClaimRequest.sections(types));
    }

    /** Those of these workers that still wait and may run a job without knowing it. */
    synchronized List<WaitingWorker> unchecked(List<WaitingWorker> present) {
        return present.stream()
                .filter(worker -> worker.state == State.WAITING && !worker.checked)
                .toList();
    }

    synchronized boolean accept(DueWork work) {
        return first(work).isPresent();
    }

    /** The first waiting worker that accepts this work. A claim for it begins. */
    synchronized Optional<WaitingWorker> take(DueWork work) {
        var first = first(work);
        first.ifPresent(worker -> worker.state = State.CLAIMING);
        return first;
    }

    private Optional<WaitingWorker> first(DueWork work) {
        for (var worker : byName.values()) {
            if (worker.state == State.WAITING && worker.request().accepts(work)) {
                return Optional.of(worker);
            }
        }
        return Optional.empty();
    }

    /** Begins a claim for this worker, if it still waits. */
    synchronized boolean take(WaitingWorker worker) {
        if (worker.state != State.WAITING) {
            return false;
        }
        worker.state = State.CLAIMING;
        return true;
    }

    synchronized void checked(List<WaitingWorker> all) {
        all.forEach(worker -> worker.checked = true);
    }

    /**
     * The claim for the worker did not succeed.
     *
     * @return true if its wait is over meanwhile; then it must be answered
     */
    synchronized boolean giveBack(WaitingWorker worker) {
        if (worker.state == State.CLAIMING) {
            worker.state = State.WAITING;
        }
        return worker.overdue && endIfWaiting(worker);
    }

    /** The wait of the worker is over. True if it must be answered now. */
    synchronized boolean overdue(WaitingWorker worker) {
        worker.overdue = true;
        return endIfWaiting(worker);
    }

    /** The worker is answered. */
    synchronized void end(WaitingWorker worker) {
        worker.state = State.DONE;
        worker.timer.cancel();
        byName.remove(worker.request().worker(), worker);
    }

    private boolean endIfWaiting(WaitingWorker worker) {
        var waiting = worker.state == State.WAITING;
        if (waiting) {
            end(worker);
        }
        return waiting;
    }
}

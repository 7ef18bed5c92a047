package io.holdfast.cli.work;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.OutageNotes;
import io.holdfast.cli.retry.FailureNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs the slots of a worker, and has what they share. */
final class Worker {
    private final ApiClient api;
    private final WorkTerms terms;
    private final WorkerStop stop;
    private final OutageNotes outages;
    private final FailureNotes claimFailures;
    private final Consumer<String> notes;

    /** @param notes must not block */
    Worker(ApiClient api, WorkTerms terms, WorkerStop stop, Consumer<String> notes) {
        this.api = api;
        this.terms = terms;
        this.stop = stop;
        this.outages = new OutageNotes(api.server(), notes);
        this.claimFailures = new FailureNotes(api.server(), notes);
        this.notes = notes;
    }

    ApiClient api() {
        return api;
    }

    WorkTerms terms() {
        return terms;
    }

    WorkerStop stop() {
        return stop;
    }

    OutageNotes outages() {
        return outages;
    }

    FailureNotes claimFailures() {
        return claimFailures;
    }

    /**
     * Blocks until all slots have ended.
     *
     * @param name with several slots, the number of each is appended
     * @return the exit code
     * @throws io.holdfast.cli.output.CliException if a slot cannot go on
     */
    int run(String name, int parallel, CliEnvironment.Streams streams) throws InterruptedException {
        var factory = Thread.ofPlatform().daemon().name("slot-", 1).factory();
        try (var threads = Executors.newFixedThreadPool(parallel, factory)) {
            var running = new ArrayList<Future<SlotResult>>();
            for (var number = 1; number <= parallel; number++) {
                var slotName = parallel == 1 ? name : name + "-" + number;
                var prefix = parallel == 1 ? "" : "[" + number + "] ";
                running.add(threads.submit(new WorkSlot(this, slotName, new SlotOutput(streams, prefix, notes))));
            }
            var exit = worst(running);
            return terms.once() && !stop.isUrgent() ? exit : stop.exit();
        }
    }

    private static int worst(List<Future<SlotResult>> running) throws InterruptedException {
        var exit = 0;
        RuntimeException failure = null;
        for (var slot : running) {
            try {
                exit = Math.max(exit, slot.get().exit());
            } catch (ExecutionException e) {
                failure = e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return exit;
    }
}

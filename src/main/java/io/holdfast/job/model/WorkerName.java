package io.holdfast.job.model;

import io.holdfast.kernel.Text;
import io.holdfast.lock.model.Owner;

/** Names a worker. A worker runs one job at a time, so the name also identifies a repeated claim. */
public record WorkerName(String value) {
    public WorkerName {
        Text.printable("worker", value, Owner.LENGTH_MAX);
    }

    /** The owner of the lock while the worker runs a job. */
    public Owner owner() {
        return new Owner(value);
    }

    @Override
    public String toString() {
        return value;
    }
}

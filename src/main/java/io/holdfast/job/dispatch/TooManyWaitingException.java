package io.holdfast.job.dispatch;

/** Too many workers wait at this replica. Nothing was changed. */
public final class TooManyWaitingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int waiting;

    TooManyWaitingException(int waiting) {
        super(waiting + " workers wait at this replica.");
        this.waiting = waiting;
    }

    public int waiting() {
        return waiting;
    }
}

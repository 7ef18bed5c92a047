package io.holdfast.lifecycle.feed;

/** Too many event streams are open at this replica. Nothing was changed. */
public final class TooManyReadersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int readers;

    TooManyReadersException(int readers) {
        super(readers + " event streams are open at this replica.");
        this.readers = readers;
    }

    public int readers() {
        return readers;
    }
}

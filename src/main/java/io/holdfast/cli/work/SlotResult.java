package io.holdfast.cli.work;

import io.holdfast.cli.output.Exit;

/** How the last job of a slot ended. */
enum SlotResult {
    /** It succeeded, or there was none. */
    DONE(Exit.DONE),
    FAILED(Exit.FAILED),
    /** The service did not answer the report. */
    NOT_REPORTED(Exit.UNAVAILABLE),
    LOST(Exit.LOST);

    private final int exit;

    SlotResult(int exit) {
        this.exit = exit;
    }

    int exit() {
        return exit;
    }
}

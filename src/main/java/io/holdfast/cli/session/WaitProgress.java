package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;

/** Receives the reasons why a lock is not granted yet. */
interface WaitProgress {
    /** Another owner holds the lock, or it is reserved for the queue. */
    void blocked(ApiResponse refusal);

    /** The request failed and is retried. */
    void failed(CliException failure);
}

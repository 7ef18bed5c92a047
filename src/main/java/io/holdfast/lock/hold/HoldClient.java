package io.holdfast.lock.hold;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.port.AcquireOutcome;
import java.time.Instant;

/**
 * The connection of a client that holds a lock. The first call is {@code acquired}, {@code refused} or {@code failed}.
 * After a refusal, a failure or a loss there are no further calls. No method may block.
 */
public interface HoldClient {
    void refused(Timestamped<AcquireOutcome> refusal);

    void failed(Throwable cause);

    void acquired(Lease lease, Instant now);

    /** @return false if the client has not yet read the previous messages; then this tick is not sent */
    boolean tick(Lease lease, Instant now);

    /** @param lease the lease as it was last granted */
    void lost(LeaseLoss loss, Lease lease, Instant now);

    /** Closes the connection, because the client does not read. */
    void hangUp();
}

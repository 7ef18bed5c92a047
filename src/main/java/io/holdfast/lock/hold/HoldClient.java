package io.holdfast.lock.hold;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.port.AcquireOutcome;
import java.time.Instant;

/**
 * Whoever holds a lock by a connection. Hears first either that it is acquired, refused or failed; after a refusal, a
 * failure or a loss it hears nothing more. No method may block.
 */
public interface HoldClient {
    void refused(Timestamped<AcquireOutcome> refusal);

    void failed(Throwable cause);

    void acquired(Lease lease, Instant now);

    /** @return false if it has not taken yet what it was sent before; then this is not sent */
    boolean tick(Lease lease, Instant now);

    /** @param lease as it was last granted */
    void lost(LeaseLoss loss, Lease lease, Instant now);

    /** It does not take what it is sent, and is taken for gone. */
    void hangUp();
}

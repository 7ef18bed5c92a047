package io.holdfast.lock.hold;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.keepalive.LeaseRenewer;
import io.holdfast.lock.keepalive.RenewalTerms;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.AcquireOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * One lock that is held by a connection. The lease is renewed while the connection lasts, and released when it ends.
 * Thread-safe.
 */
public final class Hold {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");
    private static final double RENEW_AFTER = 1.0 / 3;

    private enum State {
        ASKING,
        HOLDING,
        ENDED
    }

    private final HoldService service;
    private final AcquireCommand command;
    private final Duration ttl;
    private final Duration linger;
    private final HoldClient client;
    private final HoldAcquisition acquisition;
    private final HoldTicks ticks;

    // Guarded by this.
    private State state = State.ASKING;
    private Lease granted;
    private LeaseRenewer renewer;
    private boolean clientGone;

    /**
     * @param command with lock_id and all terms
     * @param linger how long the lease stays after a disconnect, so that its owner can reconnect. For a stalled client
     *     it stays at least until the end that the client was last told
     */
    Hold(HoldService service, AcquireCommand command, Duration linger, HoldClient client) {
        this.service = service;
        this.command = command;
        this.ttl = command.terms().ttl().orElseThrow();
        this.linger = linger;
        this.client = client;
        this.acquisition = new HoldAcquisition(service.locks(), service.renewers(), command, new Acquired());
        this.ticks = new HoldTicks(service.renewers(), client, service.limits().tick(ttl), this::stalled);
    }

    LockName name() {
        return command.name();
    }

    void begin() {
        acquisition.start();
    }

    private final class Acquired implements HoldAcquisition.Listener {
        @Override
        public void granted(Lease lease, Instant now, Optional<Lease> adopted) {
            Hold.this.granted(lease, now, adopted);
        }

        @Override
        public void superseded(Lease lease) {
            if (holds(lease)) {
                end(LeaseLoss.superseded(name()), lease);
            }
        }

        @Override
        public void refused(Timestamped<AcquireOutcome> refusal) {
            if (answeredBy(State.ENDED)) {
                service.ended(Hold.this);
                client.refused(refusal);
            }
        }

        @Override
        public void failed(Throwable cause) {
            if (answeredBy(State.ENDED)) {
                service.ended(Hold.this);
                client.failed(cause);
            }
        }
    }

    private void granted(Lease lease, Instant now, Optional<Lease> adopted) {
        if (!holds(lease)) {
            adopted.ifPresentOrElse(before -> releaseAdopted(lease, before), () -> service.locks()
                    .withdrawQuietly(lease.ref(), acquisition.attempt(), now.plus(ttl)));
            return;
        }
        service.supersede(lease.ref(), this);
        client.acquired(lease, now);
        var until = command.terms().maxHold().map(now::plus);
        var terms = new RenewalTerms(ttl, RENEW_AFTER, until, lease.term().acquiredAt());
        var started = service.renewers().renew(lease, Optional.of(acquisition.attempt()), terms, this::lost);
        boolean over;
        boolean gone;
        synchronized (this) {
            renewer = started;
            over = state == State.ENDED;
            gone = clientGone;
        }
        if (!over) {
            ticks.start(lease, started::lease);
            service.started(this);
            return;
        }
        service.ended(this);
        if (gone) {
            stopRenewingAndRelease(linger);
        } else {
            stopRenewing();
        }
    }

    /**
     * The client may still have an older connection, which told it the end of the lease before this connection renewed
     * it. So the lease is released no earlier than that.
     */
    private void releaseAdopted(Lease lease, Lease before) {
        releaseIfUnchanged(lease, Durations.max(before.remainingAt(now()), linger));
    }

    private synchronized boolean holds(Lease lease) {
        granted = lease;
        return answeredBy(State.HOLDING);
    }

    private synchronized boolean answeredBy(State next) {
        if (state != State.ASKING) {
            return false;
        }
        state = next;
        return true;
    }

    /** The client has disconnected. Its lease is released, unless it reconnects within the linger time. */
    public void close() {
        close(linger);
    }

    /**
     * The client may not hold the lock any more. It is told the loss if it holds the lock, and its lease ends like that of a
     * client that has disconnected.
     *
     * @return true if the request was still unanswered; then it gets no answer from here
     */
    public boolean revoke(LeaseLoss loss) {
        State before;
        synchronized (this) {
            before = state;
            state = State.ENDED;
            clientGone = clientGone || before != State.ENDED;
        }
        switch (before) {
            case ASKING -> {
                service.ended(this);
                acquisition.cancel();
            }
            case HOLDING -> {
                finish();
                service.lost(this, loss);
                client.lost(loss, lease(), now());
                stopRenewingAndRelease(linger);
            }
            case ENDED -> {}
        }
        return before == State.ASKING;
    }

    private void close(Duration releaseAfter) {
        State before;
        synchronized (this) {
            before = state;
            state = State.ENDED;
            clientGone = clientGone || before != State.ENDED;
        }
        switch (before) {
            case ASKING -> {
                service.ended(this);
                acquisition.cancel();
            }
            case HOLDING -> {
                finish();
                stopRenewingAndRelease(releaseAfter);
            }
            case ENDED -> {}
        }
    }

    /** A client with a linger time may be alive behind a network fault, and rely on the end that it was last told. */
    private void stalled(Lease confirmed, Instant now) {
        var releaseAfter = linger.isZero() ? linger : Durations.max(linger, confirmed.remainingAt(now));
        LOG.warnf(
                "Hold closed, its client does not read lock=%s lock_id=%s given_back_after_ms=%d",
                name(), command.id().orElseThrow(), releaseAfter.toMillis());
        close(releaseAfter);
        client.hangUp();
    }

    private void lost(LeaseLoss loss) {
        if (end(loss, lease())) {
            switch (loss.cause()) {
                // The lease may still be stored: the answer of the last renewal may have been lost.
                case MAX_HOLD, STORE_UNREACHABLE -> stopRenewingAndRelease(Duration.ZERO);
                default -> {}
            }
        }
    }

    /** A later connection of the same owner has taken the lease over. */
    void superseded() {
        end(LeaseLoss.superseded(name()), lease());
        stopRenewing();
    }

    /** This replica shuts down. The client keeps the lease, with its whole TTL to hold it at another replica. */
    Uni<Void> shutDown() {
        LeaseRenewer current;
        synchronized (this) {
            current = state == State.HOLDING ? renewer : null;
        }
        return current == null
                ? Uni.createFrom().voidItem()
                : current.shutDown().invoke(loss -> end(loss, lease())).replaceWithVoid();
    }

    private boolean end(LeaseLoss loss, Lease lease) {
        synchronized (this) {
            if (state != State.HOLDING) {
                return false;
            }
            state = State.ENDED;
        }
        finish();
        service.lost(this, loss);
        client.lost(loss, lease, now());
        return true;
    }

    private void finish() {
        ticks.stop();
        service.ended(this);
    }

    private void stopRenewing() {
        stopRenewing(stopped -> {});
    }

    private void stopRenewingAndRelease(Duration delay) {
        stopRenewing(stopped -> releaseIfUnchanged(stopped.lease(), delay));
    }

    /** The release waits for the renewal in flight, which could otherwise follow it. */
    private void stopRenewing(Consumer<LeaseRenewer> then) {
        LeaseRenewer current;
        synchronized (this) {
            current = renewer;
        }
        if (current != null) {
            service.locks().follow(current.stop(), stopped -> then.accept(current), failure -> {});
        }
    }

    /** Does not release a lease that a later connection or request of the owner has taken over. */
    private void releaseIfUnchanged(Lease lease, Duration delay) {
        // A renewal whose answer was lost may have extended the lease by the whole TTL.
        var until = now().plus(ttl);
        var claim = LeaseClaim.of(lease, acquisition.attempt());
        if (delay.isZero()) {
            service.locks().releaseQuietly(claim, until);
        } else {
            service.locks().releaseQuietlyAfter(delay, claim, until);
        }
    }

    private synchronized Lease lease() {
        return renewer == null ? granted : renewer.lease();
    }

    private Instant now() {
        return service.renewers().now();
    }
}

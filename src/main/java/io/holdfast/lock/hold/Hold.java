package io.holdfast.lock.hold;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timers;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.keepalive.LeaseRenewer;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * One lock that is held by a connection: the lease is kept as long as the connection lives and given back when it ends.
 * Safe for concurrent use.
 */
public final class Hold {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");

    /** So many ticks in a row that the client has not taken, and it is gone: nobody reads so slowly. */
    static final int STALLED_MAX = 3;

    private static final double RENEW_AFTER = 1.0 / 3;

    private enum State {
        ASKING,
        HOLDING,
        ENDED
    }

    private final HoldService service;
    private volatile AttemptId attempt = AttemptId.ofConnection();
    private final AcquireCommand command;
    private final Duration linger;
    private final HoldClient client;

    // What follows changes under the monitor of this.
    private State state = State.ASKING;
    private Cancellable asking = () -> {};
    private Lease granted;
    private LeaseRenewer renewer;
    private boolean clientGone;
    private Timers.Timer timer = Timers.Timer.NONE;

    // Only the grant and then ticks touch what follows, one after the other.
    private int stalled;
    /** The lease as the client last took word of it. */
    private Lease told;

    /**
     * @param command with its lock_id and its terms in full
     * @param linger how long a lease outlasts its connection, for its owner to come back; if the owner is only silent, at
     *     least until the end that it was last told of
     */
    Hold(HoldService service, AcquireCommand command, Duration linger, HoldClient client) {
        this.service = service;
        this.command = command;
        this.linger = linger;
        this.client = client;
    }

    LockName name() {
        return command.name();
    }

    AcquireCommand command() {
        return command;
    }

    /** What the lease belongs to while this connection is the owner's latest. */
    AttemptId attempt() {
        return attempt;
    }

    /** Asks anew, as another attempt: what the one before left behind may still be taken back. */
    private void askAgain() {
        if (isOver()) {
            return;
        }
        attempt = AttemptId.ofConnection();
        service.ask(this);
    }

    void begin(Uni<Timestamped<AcquireOutcome>> asked) {
        var subscription = waits()
                ? asked.subscribe().with(this::answered, this::failed)
                : service.locks().follow(asked, this::answered, this::failed);
        boolean gone;
        synchronized (this) {
            asking = subscription;
            gone = state == State.ENDED;
        }
        if (gone) {
            stopAsking();
        }
    }

    /** The client is gone: whatever it holds is given back, unless it comes back in time. */
    public void close() {
        close(linger);
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
                stopAsking();
            }
            case HOLDING -> {
                finish();
                stopRenewing(releaseAfter);
            }
            case ENDED -> {}
        }
    }

    /** A request that does not wait is answered soon; what it was granted by then is given back there. */
    private void stopAsking() {
        if (waits()) {
            asking.cancel();
        }
    }

    private boolean waits() {
        return command.terms().waitFor().filter(wait -> !wait.isZero()).isPresent();
    }

    private void failed(Throwable cause) {
        // The store may have granted it all the same, and no client was told.
        var until = service.renewers().now().plus(command.terms().ttl().orElseThrow());
        service.locks().withdrawInDoubt(ref(), attempt, until);
        if (answeredBy(State.ENDED)) {
            service.ended(this);
            client.failed(cause);
        }
    }

    private void answered(Timestamped<AcquireOutcome> at) {
        switch (at.answer()) {
            case AcquireOutcome.Granted granted -> granted(granted.lease(), at.now(), Optional.empty());
            case AcquireOutcome.AlreadyYours yours -> adopt(yours.lease());
            default -> {
                if (answeredBy(State.ENDED)) {
                    service.ended(this);
                    client.refused(at);
                }
            }
        }
    }

    /**
     * Goes on with a lease that the owner has, and renews it to its full time. The lease belongs to this connection
     * already, unless the owner has a later one.
     */
    private void adopt(Lease lease) {
        if (isOver()) {
            // An older connection of the owner may still rely on the lease, until the end that is stored.
            return;
        }
        var renewal = service.locks()
                .renew(LeaseClaim.of(lease, attempt), command.terms().ttl());
        service.locks()
                .follow(
                        renewal,
                        at -> {
                            switch (at.answer()) {
                                case RenewOutcome.Renewed renewed ->
                                    granted(renewed.lease(), at.now(), Optional.of(lease));
                                case RenewOutcome.Superseded later -> supersededAt(later.lease());
                                case RenewOutcome.NotHeld notHeld -> askAgain();
                            }
                        },
                        this::failed);
    }

    private synchronized boolean isOver() {
        return state == State.ENDED;
    }

    /** A still later connection or request of the owner has it. */
    private void supersededAt(Lease lease) {
        if (holds(lease)) {
            end(LeaseLoss.superseded(name()), lease);
        }
    }

    /** @param adopted the lease as it was before this connection took it over; none if it is a new one */
    private void granted(Lease lease, Instant now, Optional<Lease> adopted) {
        if (!holds(lease)) {
            adopted.ifPresentOrElse(before -> releaseAdopted(lease, before), () -> withdraw(lease, now));
            return;
        }
        service.supersede(lease.ref(), this);
        told = lease;
        client.acquired(lease, now);
        var terms = new LeaseRenewer.Terms(
                command.terms().ttl().orElseThrow(),
                RENEW_AFTER,
                command.terms().maxHold().map(now::plus),
                lease.term().acquiredAt());
        var kept = service.renewers().renew(lease, Optional.of(attempt), terms, this::lost);
        boolean over;
        boolean gone;
        synchronized (this) {
            renewer = kept;
            over = state == State.ENDED;
            gone = clientGone;
        }
        if (over) {
            service.ended(this);
            if (gone) {
                stopRenewing(linger);
            } else {
                stopRenewing(false);
            }
        } else {
            tickLater();
            service.began(this);
        }
    }

    private void withdraw(Lease lease, Instant now) {
        var until = now.plus(command.terms().ttl().orElseThrow());
        service.locks().withdrawQuietly(lease.ref(), attempt, until);
    }

    /**
     * The client may have kept an older connection, which told it the end before this one renewed the lease. So the lease
     * is given back at that end, and not before.
     */
    private void releaseAdopted(Lease lease, Lease before) {
        var left = before.remainingAt(service.renewers().now());
        releaseIfUnchanged(lease, Durations.max(left, linger));
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

    private synchronized void tickLater() {
        if (state == State.HOLDING) {
            var pause = service.limits().tick(command.terms().ttl().orElseThrow());
            timer = service.renewers().after(pause, this::tick);
        }
    }

    private void tick() {
        synchronized (this) {
            if (state != State.HOLDING) {
                return;
            }
        }
        var lease = renewer.lease();
        var now = service.renewers().now();
        if (client.tick(lease, now)) {
            stalled = 0;
            told = lease;
        } else {
            stalled++;
        }
        if (stalled < STALLED_MAX) {
            tickLater();
        } else {
            cutOff(now);
        }
    }

    /** Who asked for time to come back may be alive behind a broken network, and go by the end that it was told. */
    private void cutOff(Instant now) {
        var left = told.remainingAt(now);
        var releaseAfter = linger.isZero() ? linger : Durations.max(linger, left);
        LOG.warnf(
                "Hold's client takes nothing any more, it is cut off lock=%s lock_id=%s given_back_after_ms=%d",
                name(), ref().id(), releaseAfter.toMillis());
        close(releaseAfter);
        client.hangUp();
    }

    private void lost(LeaseLoss loss) {
        if (end(loss, lease())) {
            switch (loss.cause()) {
                // The lease may still be there: the last renewal may have reached the store and its answer not us.
                case MAX_HOLD, STORE_UNREACHABLE -> stopRenewing(true);
                default -> {}
            }
        }
    }

    /** The same owner holds it by a later connection, to which the lease belongs from now on. */
    void superseded() {
        end(LeaseLoss.superseded(name()), lease());
        stopRenewing(false);
    }

    /**
     * This replica goes away. The client's work may go on: it keeps the lease, with all of its duration, and has that
     * long to hold it at another replica.
     */
    Uni<Void> leave() {
        LeaseRenewer kept;
        synchronized (this) {
            kept = state == State.HOLDING ? renewer : null;
        }
        return kept == null
                ? Uni.createFrom().voidItem()
                : kept.leave().invoke(loss -> end(loss, lease())).replaceWithVoid();
    }

    private synchronized Lease lease() {
        return renewer == null ? granted : renewer.lease();
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
        client.lost(loss, lease, service.renewers().now());
        return true;
    }

    private void finish() {
        timer.cancel();
        service.ended(this);
    }

    private void stopRenewing(boolean release) {
        stopRenewing(kept -> {
            if (release) {
                releaseIfUnchanged(kept.lease(), Duration.ZERO);
            }
        });
    }

    /** Unless a later connection or request of the owner has taken it over: then the owner goes on with it there. */
    private void releaseIfUnchanged(Lease lease, Duration delay) {
        // A renewal of which nobody heard may have prolonged it by the whole duration.
        var until = service.renewers().now().plus(command.terms().ttl().orElseThrow());
        var claim = LeaseClaim.of(lease, attempt);
        if (delay.isZero()) {
            service.locks().releaseQuietly(claim, until);
        } else {
            service.locks().releaseQuietlyAfter(delay, claim, until);
        }
    }

    private void stopRenewing(Duration releaseAfter) {
        if (releaseAfter.isZero()) {
            stopRenewing(true);
        } else {
            stopRenewing(kept -> releaseIfUnchanged(kept.lease(), releaseAfter));
        }
    }

    /** A release comes after the renewal under way has ended: the other way round it could undo it. */
    private void stopRenewing(Consumer<LeaseRenewer> then) {
        LeaseRenewer kept;
        synchronized (this) {
            kept = renewer;
        }
        if (kept != null) {
            service.locks().follow(kept.stop(), stopped -> then.accept(kept), failure -> {});
        }
    }

    private LeaseRef ref() {
        return new LeaseRef(command.name(), command.id().orElseThrow(), command.owner());
    }
}

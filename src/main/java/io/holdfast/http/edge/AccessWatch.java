package io.holdfast.http.edge;

import io.holdfast.access.AccessService;
import io.holdfast.access.model.AccessDecision.Denied;
import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timers;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ends connections that outlive a request when their caller is not accepted any more: its token expires, the access file
 * has no longer its token or issuer, or no longer the grant. Thread-safe.
 */
@Singleton
public class AccessWatch {
    /** A token is accepted for a moment after it has expired, because clocks differ. */
    private static final Duration RECHECK = Duration.ofSeconds(1);

    /** A key that its issuer has removed ends connections no later. */
    private static final Duration TIMER_MAX = Duration.ofMinutes(5);

    private final AccessService access;
    private final Timers timers;
    private final InstantSource clock;
    private final Set<Watched> connections = ConcurrentHashMap.newKeySet();

    AccessWatch(AccessService access, Timers timers, InstantSource clock) {
        this.access = access;
        this.timers = timers;
        this.clock = clock;
        if (access.isOn()) {
            access.onReload(() -> connections.forEach(Watched::check));
        }
    }

    /** Why a connection ends. */
    public enum Cause {
        UNAUTHENTICATED,
        FORBIDDEN
    }

    /**
     * @param detail one sentence for the caller
     * @param denied if the grant has gone
     */
    public record End(Cause cause, String detail, Optional<Denied> denied) {
        /** For a connection that has not been answered yet. */
        public Response response() {
            return denied.map(refusal -> Problems.answer(AccessProblems.forbidden(refusal)))
                    .orElseGet(() -> AccessProblems.unauthenticatedResponse(detail));
        }
    }

    /** A connection that is watched. */
    public interface Watch {
        /** The connection has ended. May be called again. */
        void stop();
    }

    /**
     * @param refusal why the caller may not go on, by the present grants
     * @param end ends the connection; called once, on any thread, and must not block
     */
    public Watch watch(RequestAccess caller, Supplier<Optional<Denied>> refusal, Consumer<End> end) {
        if (caller.caller().isEmpty()) {
            return () -> {};
        }
        var watched = new Watched(caller, refusal, end);
        connections.add(watched);
        watched.check();
        return watched;
    }

    /** How many connections are watched. */
    int size() {
        return connections.size();
    }

    private final class Watched implements Watch {
        private final RequestAccess caller;
        private final Supplier<Optional<Denied>> refusal;
        private final Consumer<End> end;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private volatile Timers.Timer timer = Timers.Timer.NONE;

        Watched(RequestAccess caller, Supplier<Optional<Denied>> refusal, Consumer<End> end) {
            this.caller = caller;
            this.refusal = refusal;
            this.end = end;
        }

        void check() {
            if (stopped.get()) {
                return;
            }
            var subject = caller.caller().orElseThrow();
            var over = access.ended(subject)
                    .map(refused -> new End(Cause.UNAUTHENTICATED, refused.reason(), Optional.empty()))
                    .or(() -> refusal.get()
                            .map(denied -> new End(Cause.FORBIDDEN, denied.sentence(), Optional.of(denied))));
            if (over.isEmpty()) {
                subject.expiresAt().ifPresent(this::checkAt);
            } else if (stopped.compareAndSet(false, true)) {
                forget();
                end.accept(over.get());
            }
        }

        private synchronized void checkAt(Instant expiry) {
            timer.cancel();
            if (!stopped.get()) {
                var left = Durations.max(Duration.between(clock.instant(), expiry), RECHECK);
                timer = timers.after(Durations.min(left, TIMER_MAX), this::check);
            }
        }

        @Override
        public void stop() {
            stopped.set(true);
            forget();
        }

        private synchronized void forget() {
            connections.remove(this);
            timer.cancel();
        }
    }
}

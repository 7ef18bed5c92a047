package io.holdfast.lock.history;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.hold.Hold;
import io.holdfast.lock.hold.HoldClient;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Holds a lock by a connection, again and again. When the connection breaks or is silent, it connects to any replica as
 * the same owner and with the same lock_id. Until it is told that it has the lock there, it relies on the lock only for as
 * long as a lease lingers after its connection.
 */
final class HoldingClient implements Client {
    private static final int UNREAD_MAX = 3;

    private final World world;
    private final Simulation simulation;
    private final Owner owner;
    private boolean retired;
    private Session session;

    HoldingClient(World world, String name) {
        this.world = world;
        this.simulation = world.simulation();
        this.owner = world.ownerOf(name);
    }

    @Override
    public void begin() {
        simulation.after(world.think(), () -> {
            if (!retired) {
                session = new Session();
                session.connect();
            }
        });
    }

    @Override
    public void retire() {
        retired = true;
        if (session != null) {
            session.finish();
        }
    }

    /** One piece of work under the lock, by one connection after the other. */
    private final class Session {
        private final AcquireCommand command;
        private final Optional<Duration> linger;
        private final Duration work = world.work();
        private Connection connection;
        private Reliance reliance;
        private boolean over;

        Session() {
            var terms = world.terms();
            command = Requests.wish(world.anyLock(), owner, Optional.of(world.anId(owner)), terms.wish());
            linger = simulation.chance(0.5)
                    ? Optional.of(simulation.between(
                            Duration.ofMillis(500), world.profile().ttl().dividedBy(3)))
                    : Optional.empty();
        }

        void connect() {
            if (over) {
                return;
            }
            connection = new Connection(this, world.network().any());
            world.note(owner, "holds %s at %s, linger %s", command.name(), connection.at, linger);
            connection.open();
        }

        private void reconnectSoon() {
            simulation.after(simulation.millis(50, 1_000), this::connect);
        }

        void acquired(Connection by, Lease answered, Instant deadline) {
            var lease = world.toldTo(owner, answered);
            world.note(owner, "has %s, token %s", lease.name(), lease.token());
            if (reliance == null) {
                reliance = world.oracle().granted(lease, by.opened, deadline);
                simulation.after(work, this::finish);
            } else {
                reliance = world.oracle().again(reliance, lease, by.opened, deadline);
            }
            if (retired) {
                finish();
            }
        }

        void ticked(Connection by, Lease lease, Instant deadline) {
            world.oracle().prolonged(reliance, world.toldTo(owner, lease), by.opened, deadline);
            if (world.network().trouble(world.profile().moves())) {
                broken(by, "network");
            }
        }

        /** Nothing was heard for too long, or the connection ended. */
        void broken(Connection by, String why) {
            world.note(owner, "has no connection to %s any more: %s", by.at, why);
            by.breaks(simulation.between(Duration.ZERO, world.profile().ttl()));
            if (reliance != null) {
                reliance.cap(simulation.now().plus(linger.orElse(Duration.ZERO)));
            }
            if (reliance == null && !by.at.isDead() && command.terms().waitFor().isEmpty()) {
                over();
            } else {
                reconnectSoon();
            }
        }

        void refused(AcquireOutcome refusal) {
            world.note(
                    owner,
                    "is refused %s: %s",
                    command.name(),
                    refusal.getClass().getSimpleName());
            if (reliance != null) {
                world.oracle().refused(reliance, "hold on a new connection");
            }
            over();
        }

        void failed() {
            world.note(owner, "does not know whether it has %s", command.name());
            if (reliance == null) {
                over();
            } else {
                reconnectSoon();
            }
        }

        void lost(Connection by, LeaseLoss loss) {
            world.note(owner, "is told by %s that %s is lost: %s", by.at, command.name(), loss.cause());
            if (loss.cause() == LeaseLoss.Cause.SHUTTING_DOWN) {
                reconnectSoon();
                return;
            }
            world.oracle().lost(reliance, loss, by.at);
            over();
        }

        void finish() {
            if (!over) {
                world.note(owner, "closes its connection for %s", command.name());
                if (reliance != null) {
                    reliance.end(Reliance.End.BY_ITSELF);
                }
                over();
            }
        }

        private void over() {
            if (over) {
                return;
            }
            over = true;
            if (reliance != null) {
                reliance.end(Reliance.End.TOLD);
            }
            connection.breaks(world.network().travel());
            begin();
        }
    }

    /** Both ends of one connection. */
    private final class Connection implements HoldClient {
        private final Session session;
        private final Replica at;
        private final Instant opened = simulation.now();
        private boolean open = true;
        private boolean acquired;
        private Instant lastArrival = simulation.now();
        private Simulation.Cancellation silence = () -> {};

        // The replica's end.
        private Hold hold;
        private boolean closeSeen;
        private int unread;

        Connection(Session session, Replica at) {
            this.session = session;
            this.at = at;
        }

        void open() {
            listen();
            simulation.after(world.network().travel(), () -> {
                if (at.isDead()) {
                    ends("nobody listens");
                    return;
                }
                at.onDeath(() -> simulation.after(world.network().travel(), () -> ends("connection reset")));
                at.perform(() -> {
                    hold = at.holds.hold(session.command, session.linger, this);
                    if (closeSeen || !open) {
                        hold.close();
                    }
                });
            });
        }

        /** The client's end is gone. The replica sees that after a while. */
        void breaks(Duration seenAfter) {
            if (!open) {
                return;
            }
            open = false;
            silence.cancel();
            simulation.after(
                    seenAfter,
                    () -> at.perform(() -> {
                        closeSeen = true;
                        if (hold != null) {
                            hold.close();
                        }
                    }));
        }

        private void listen() {
            silence.cancel();
            var most = acquired ? world.profile().ttl().dividedBy(2) : World.patience(session.command.terms());
            silence = simulation.after(most, () -> ends("silence"));
        }

        private void ends(String why) {
            if (open) {
                session.broken(this, why);
            }
        }

        /** What is sent on one connection arrives in order. */
        private void toClient(Runnable word) {
            if (!open) {
                return;
            }
            var arrival = simulation.now().plus(world.network().travel());
            lastArrival = arrival.isBefore(lastArrival) ? lastArrival : arrival;
            simulation.after(Duration.between(simulation.now(), lastArrival), () -> {
                if (open) {
                    listen();
                    word.run();
                }
            });
        }

        private Instant deadline(Lease lease, Instant clock) {
            var read = at.trueTimeOf(clock);
            var counted = read.isAfter(simulation.now()) ? opened : read;
            return counted.plus(lease.remainingAt(clock));
        }

        @Override
        public void acquired(Lease lease, Instant now) {
            var deadline = deadline(lease, now);
            toClient(() -> {
                acquired = true;
                session.acquired(this, lease, deadline);
            });
        }

        @Override
        public boolean tick(Lease lease, Instant now) {
            var deadline = deadline(lease, now);
            toClient(() -> session.ticked(this, lease, deadline));
            unread = open ? 0 : unread + 1;
            return unread <= UNREAD_MAX;
        }

        /** The replica ends the connection with this word. */
        private void lastWord(Runnable word) {
            toClient(() -> {
                open = false;
                silence.cancel();
                word.run();
            });
        }

        @Override
        public void refused(Timestamped<AcquireOutcome> refusal) {
            lastWord(() -> session.refused(refusal.answer()));
        }

        @Override
        public void failed(Throwable cause) {
            lastWord(session::failed);
        }

        @Override
        public void lost(LeaseLoss loss, Lease lease, Instant now) {
            lastWord(() -> session.lost(this, loss));
        }

        @Override
        public void hangUp() {
            toClient(() -> ends("hung up"));
        }
    }
}

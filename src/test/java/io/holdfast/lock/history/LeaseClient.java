package io.holdfast.lock.history;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.hold.HeartbeatOutcome;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Acquires a lock, works, renews or sends heartbeats, and releases it, again and again. A request without an answer is
 * repeated at any replica under the same lock_id. A client that stands still beyond its deadline does not know that it
 * did, and goes on.
 */
final class LeaseClient implements Client {
    private static final int TRIES_MAX = 4;
    private static final Duration MAX_HOLD = Duration.ofHours(1);

    /** Another replica may take a wait for over that much before its end. */
    private static final Duration LAST_MOMENT = Duration.ofSeconds(5);

    private final World world;
    private final Simulation simulation;
    private final Owner owner;
    private final boolean heartbeats;
    private final Set<LockId> released = new HashSet<>();
    private boolean retired;
    private Session session;

    /** @param heartbeats whether the service is to renew its leases */
    LeaseClient(World world, String name, boolean heartbeats) {
        this.world = world;
        this.simulation = world.simulation();
        this.owner = world.ownerOf(name);
        this.heartbeats = heartbeats;
    }

    @Override
    public void begin() {
        simulation.after(world.think(), () -> {
            if (!retired) {
                session = new Session();
                session.ask(1);
            }
        });
    }

    @Override
    public void retire() {
        retired = true;
        if (session != null && session.reliance != null && !session.reliance.isOver()) {
            session.finish();
        }
    }

    /** One acquisition. */
    private final class Session {
        private final AcquireCommand command;
        private final Instant began = simulation.now();
        private final Instant workUntil = simulation.now().plus(world.work());
        private Reliance reliance;

        Session() {
            var id = heartbeats || simulation.chance(0.8) ? Optional.of(world.anId(owner)) : Optional.<LockId>empty();
            var terms = world.terms();
            command = Requests.wish(world.anyLock(), owner, id, heartbeats ? terms.renewedFor(MAX_HOLD) : terms.wish());
        }

        void ask(int attempt) {
            var replica = world.network().any();
            var request = heartbeats ? Requests.acquireRenewed(command) : Requests.acquire(command);
            world.note(
                    owner,
                    "acquires %s at %s, wait %s",
                    command.name(),
                    replica,
                    command.terms().waitFor());
            var waiting = waiting(replica)
                    .filter(any -> attempt == 1 && world.profile().keepsOrder());
            waiting.ifPresent(world.oracle()::waits);
            world.network().ask(replica, request, World.patience(command.terms()), reply -> {
                waiting.ifPresent(world.oracle()::waitsNoMore);
                asked(reply, attempt);
            });
        }

        private Optional<Waiting> waiting(Replica replica) {
            return command.id().flatMap(id -> command.terms()
                    .waitFor()
                    .map(wait -> new Waiting(
                            command.name(),
                            owner,
                            id,
                            replica,
                            simulation.now().plus(wait).minus(LAST_MOMENT))));
        }

        private void asked(Reply<Timestamped<AcquireOutcome>> reply, int attempt) {
            switch (reply) {
                case Reply.Answer<Timestamped<AcquireOutcome>> answer -> {
                    switch (answer.value().answer()) {
                        case AcquireOutcome.Granted granted -> {
                            world.oracle().checkTurn(world.toldTo(owner, granted.lease()), began);
                            acquired(granted.lease(), answer);
                        }
                        case AcquireOutcome.AlreadyHeld yours -> acquired(yours.lease(), answer);
                        default -> {
                            world.note(
                                    owner,
                                    "is refused %s: %s",
                                    command.name(),
                                    kind(answer.value().answer()));
                            if (reliance != null) {
                                world.oracle().refused(reliance, "acquire asked again");
                                reliance.end(Reliance.End.TOLD);
                            }
                            begin();
                        }
                    }
                }
                case Reply.Unknown<Timestamped<AcquireOutcome>> unknown -> {
                    world.note(owner, "does not know whether it has %s: %s", command.name(), unknown.why());
                    if (reliance != null) {
                        renewLater(Duration.ofSeconds(1));
                    } else if (command.id().isPresent() && attempt < TRIES_MAX) {
                        simulation.after(simulation.millis(100, 1_000), () -> ask(attempt + 1));
                    } else {
                        begin();
                    }
                }
            }
        }

        private void acquired(Lease answered, Reply.Answer<?> answer) {
            var lease = world.toldTo(owner, answered);
            world.note(owner, "has %s, token %s", lease.name(), lease.token());
            if (released.contains(lease.id())) {
                // It is on its way out: an earlier release may still arrive.
                simulation.after(world.renewEvery(), () -> release(new Reliance(lease, simulation.now()), TRIES_MAX));
                return;
            }
            if (reliance == null) {
                reliance = world.oracle().granted(lease, answer.sent(), answer.deadline(lease));
            } else {
                reliance = world.oracle().again(reliance, lease, answer.sent(), answer.deadline(lease));
            }
            if (retired) {
                finish();
            } else {
                renewLater(world.renewEvery());
            }
        }

        private void renewLater(Duration pause) {
            var standsStill = world.network().trouble(world.profile().pauses());
            var longer = standsStill
                    ? pause.plus(simulation.between(
                            world.profile().ttl(), world.profile().ttl().multipliedBy(4)))
                    : pause;
            simulation.after(longer, () -> {
                if (reliance.isOver()) {
                    return;
                }
                if (standsStill) {
                    world.note(owner, "stood still and goes on with %s", command.name());
                } else if (!simulation.now().isBefore(workUntil) || !reliance.isLive(simulation.now())) {
                    finish();
                    return;
                }
                goOn();
            });
        }

        private void goOn() {
            if (simulation.chance(world.profile().repeats())) {
                ask(TRIES_MAX);
            } else if (heartbeats) {
                world.network()
                        .ask(world.network().any(), Requests.heartbeat(reliance.lease()), World.PATIENCE, this::heard);
            } else {
                world.network()
                        .ask(world.network().any(), Requests.renew(reliance.lease()), World.PATIENCE, this::renewed);
            }
        }

        private void renewed(Reply<Timestamped<RenewOutcome>> reply) {
            switch (reply) {
                case Reply.Answer<Timestamped<RenewOutcome>> answer -> {
                    switch (answer.value().answer()) {
                        case RenewOutcome.Renewed renewed -> goesOn(renewed.lease(), answer);
                        case RenewOutcome.Superseded superseded -> gone("renewal");
                        case RenewOutcome.NotHeld notHeld -> gone("renewal");
                    }
                }
                case Reply.Unknown<Timestamped<RenewOutcome>> unknown -> renewLater(Duration.ofMillis(500));
            }
        }

        private void heard(Reply<Timestamped<HeartbeatOutcome>> reply) {
            switch (reply) {
                case Reply.Answer<Timestamped<HeartbeatOutcome>> answer -> {
                    switch (answer.value().answer()) {
                        case HeartbeatOutcome.Heard heard -> goesOn(heard.lease(), answer);
                        default -> gone("heartbeat");
                    }
                }
                case Reply.Unknown<Timestamped<HeartbeatOutcome>> unknown -> renewLater(Duration.ofMillis(500));
            }
        }

        private void goesOn(Lease answered, Reply.Answer<?> answer) {
            var lease = world.toldTo(owner, answered);
            world.note(owner, "goes on with %s, token %s", lease.name(), lease.token());
            if (!reliance.isOver()) {
                world.oracle().prolonged(reliance, lease, answer.sent(), answer.deadline(lease));
                renewLater(world.renewEvery());
            }
        }

        private void gone(String request) {
            world.note(owner, "is refused the %s of %s", request, command.name());
            if (!reliance.isOver()) {
                world.oracle().refused(reliance, request);
                reliance.end(Reliance.End.TOLD);
                begin();
            }
        }

        void finish() {
            release(reliance, 1);
        }

        private void release(Reliance ending, int attempt) {
            var relied = ending.isLive(simulation.now());
            ending.end(Reliance.End.BY_ITSELF);
            released.add(ending.ref().id());
            world.note(owner, "releases %s", ending.name());
            world.network()
                    .ask(
                            world.network().any(),
                            Requests.release(ending.lease()),
                            World.PATIENCE,
                            reply -> releaseAnswered(ending, reply, relied, attempt));
        }

        private void releaseAnswered(
                Reliance ending, Reply<Timestamped<ReleaseOutcome>> reply, boolean relied, int attempt) {
            switch (reply) {
                case Reply.Answer<Timestamped<ReleaseOutcome>> answer -> {
                    world.note(
                            owner,
                            "is answered the release of %s: %s",
                            ending.name(),
                            kind(answer.value().answer()));
                    if (attempt == 1 && answer.value().answer() instanceof ReleaseOutcome.HeldByAnother) {
                        world.oracle().releaseRefused(ending, relied);
                    }
                    begin();
                }
                case Reply.Unknown<Timestamped<ReleaseOutcome>> unknown -> {
                    if (attempt < TRIES_MAX) {
                        simulation.after(Duration.ofSeconds(1), () -> release(ending, attempt + 1));
                    } else {
                        begin();
                    }
                }
            }
        }
    }

    private static String kind(Object outcome) {
        return outcome.getClass().getSimpleName();
    }
}

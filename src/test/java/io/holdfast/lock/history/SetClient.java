package io.holdfast.lock.history;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.set.AcquireAllOutcome;
import io.holdfast.lock.set.LockSetService;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Takes several locks together, works, renews each or asks for all of them again under the same lock_id, and releases
 * them, again and again.
 */
final class SetClient implements Client {
    private static final int TRIES_MAX = 4;
    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(2);

    private final World world;
    private final Simulation simulation;
    private final Owner owner;
    private final Set<LockId> released = new HashSet<>();
    private boolean retired;
    private Session session;

    SetClient(World world, String name) {
        this.world = world;
        this.simulation = world.simulation();
        this.owner = world.ownerOf(name);
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
        if (session != null && session.holds()) {
            session.finish();
        }
    }

    private final class Session {
        private final LockId id = world.anId(owner);
        private final LockSetService.Names names;
        private final Requests.Terms terms = world.terms();
        private final Instant workUntil = simulation.now().plus(world.work());
        private final Map<LockName, Reliance> reliances = new HashMap<>();
        private boolean over;

        Session() {
            var first = simulation.upTo(world.locks().size());
            var count = 2 + simulation.upTo(Math.min(2, world.locks().size() - 1));
            names = new LockSetService.Names(IntStream.range(first, first + count)
                    .mapToObj(i -> world.locks().get(i % world.locks().size()))
                    .distinct()
                    .toList());
        }

        boolean holds() {
            return !over && !reliances.isEmpty();
        }

        /** Some clients give up early and ask again while their first request is still under way. */
        void ask(int attempt) {
            var replica = world.network().any();
            var patience = simulation.chance(0.3) ? SHORT_PATIENCE : World.patience(terms.wish());
            world.note(owner, "acquires the set %s at %s, wait %s", names.all(), replica, terms.waits());
            world.network()
                    .ask(
                            replica,
                            Requests.acquireAll(names, owner, id, terms),
                            patience,
                            reply -> asked(reply, attempt));
        }

        private void asked(Reply<Timestamped<AcquireAllOutcome>> reply, int attempt) {
            if (over) {
                return;
            }
            switch (reply) {
                case Reply.Answer<Timestamped<AcquireAllOutcome>> answer -> {
                    switch (answer.value().answer()) {
                        case AcquireAllOutcome.AllGranted all -> acquired(all.leases(), answer);
                        case AcquireAllOutcome.Blocked blocked -> refused(blocked);
                        case AcquireAllOutcome.LostMeanwhile lost -> {
                            world.note(owner, "is told that %s of its set is lost", lost.name());
                            refused(lost.name());
                        }
                    }
                }
                case Reply.Unknown<Timestamped<AcquireAllOutcome>> unknown -> {
                    world.note(owner, "does not know whether it has the set %s: %s", names.all(), unknown.why());
                    if (!reliances.isEmpty()) {
                        renewLater(Duration.ofSeconds(1));
                    } else if (attempt < TRIES_MAX) {
                        simulation.after(simulation.millis(50, 500), () -> ask(attempt + 1));
                    } else {
                        over();
                    }
                }
            }
        }

        private void acquired(List<Lease> leases, Reply.Answer<?> answer) {
            if (leases.stream().anyMatch(lease -> released.contains(lease.id()))) {
                simulation.after(world.renewEvery(), this::finish);
                return;
            }
            world.note(owner, "has the set %s", names.all());
            for (var answered : leases) {
                var lease = world.toldTo(owner, answered);
                var deadline = answer.deadline(lease);
                var before = reliances.get(lease.name());
                reliances.put(
                        lease.name(),
                        before == null
                                ? world.oracle().granted(lease, answer.sent(), deadline)
                                : world.oracle().again(before, lease, answer.sent(), deadline));
            }
            if (retired) {
                finish();
            } else {
                renewLater(world.renewEvery());
            }
        }

        private void refused(AcquireAllOutcome.Blocked blocked) {
            var why = blocked.answer().answer();
            world.note(
                    owner,
                    "is refused the set %s: %s",
                    names.all(),
                    why.getClass().getSimpleName());
            if (why instanceof AcquireOutcome.HeldByAnother held) {
                refused(held.holder().name());
            } else {
                over();
            }
        }

        private void refused(LockName name) {
            if (reliances.containsKey(name)) {
                world.oracle().refused(reliances.get(name), "set asked again");
            }
            over();
        }

        private void renewLater(Duration pause) {
            simulation.after(pause, () -> {
                var now = simulation.now();
                if (over) {
                    return;
                }
                if (now.isAfter(workUntil) || reliances.values().stream().anyMatch(one -> !one.isLive(now))) {
                    finish();
                } else if (simulation.chance(world.profile().repeats())) {
                    ask(TRIES_MAX);
                } else {
                    reliances.values().forEach(this::renew);
                    renewLater(world.renewEvery());
                }
            });
        }

        private void renew(Reliance reliance) {
            world.network().ask(world.network().any(), Requests.renew(reliance.lease()), World.PATIENCE, reply -> {
                if (!over && reply instanceof Reply.Answer<Timestamped<RenewOutcome>> answer) {
                    switch (answer.value().answer()) {
                        case RenewOutcome.Renewed renewed ->
                            world.oracle()
                                    .prolonged(
                                            reliance,
                                            world.toldTo(owner, renewed.lease()),
                                            answer.sent(),
                                            answer.deadline(renewed.lease()));
                        case RenewOutcome.Superseded superseded -> notRenewed(reliance);
                        case RenewOutcome.NotHeld notHeld -> notRenewed(reliance);
                    }
                }
            });
        }

        private void notRenewed(Reliance reliance) {
            world.note(owner, "is refused the renewal of %s", reliance.name());
            world.oracle().refused(reliance, "renewal");
            reliance.end(Reliance.End.TOLD);
            finish();
        }

        void finish() {
            if (over) {
                return;
            }
            world.note(owner, "releases the set %s", names.all());
            reliances.values().forEach(reliance -> reliance.end(Reliance.End.BY_ITSELF));
            released.add(id);
            var request = Requests.releaseAll(names, id, owner);
            world.network().ask(world.network().any(), request, World.PATIENCE, this::releaseAnswered);
            over();
        }

        private void releaseAnswered(Reply<Timestamped<List<ReleaseOutcome>>> reply) {
            world.note(owner, "has an answer to its release: %s", reply instanceof Reply.Answer ? "yes" : "no");
        }

        private void over() {
            over = true;
            reliances.values().forEach(reliance -> reliance.end(Reliance.End.TOLD));
            begin();
        }
    }
}

package io.holdfast.lock.history;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.Timestamped;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Carries requests of clients to replicas, and the answers back. Each request is told one reply. */
final class ClientNetwork {
    private static final Duration DUPLICATE_LATE_MAX = Duration.ofSeconds(60);

    private final Simulation simulation;
    private final Profile profile;
    private final Oracle oracle;
    private final List<Replica> replicas = new ArrayList<>();
    private boolean healed;
    private int pending;

    ClientNetwork(Simulation simulation, Profile profile, Oracle oracle) {
        this.simulation = simulation;
        this.profile = profile;
        this.oracle = oracle;
    }

    /** The replicas as a load balancer knows them. */
    List<Replica> replicas() {
        return replicas;
    }

    Replica any() {
        return simulation.oneOf(replicas);
    }

    void heal() {
        healed = true;
    }

    /** How many requests have not been answered. */
    int pending() {
        return pending;
    }

    Duration travel() {
        return simulation.millis(1, 30);
    }

    boolean trouble(double probability) {
        return !healed && simulation.chance(probability);
    }

    <T> void ask(
            Replica to,
            Function<Replica, Uni<Timestamped<T>>> request,
            Duration patience,
            Consumer<Reply<Timestamped<T>>> client) {
        pending++;
        var exchange = new Exchange<>(to, request, client);
        simulation.after(patience, () -> exchange.broken("timed out"));
        if (!trouble(profile.clientTrouble())) {
            simulation.after(travel(), exchange::arrive);
        }
        if (trouble(profile.lateDuplicates())) {
            var late = simulation.between(Duration.ofSeconds(1), DUPLICATE_LATE_MAX);
            simulation.after(late, () -> duplicate(any(), request));
        }
    }

    /** A copy of a request that was held up on its way arrives, and its sender is gone. */
    private <T> void duplicate(Replica to, Function<Replica, Uni<Timestamped<T>>> request) {
        to.perform(() -> {
            simulation.note("%s: a late duplicate arrives", to);
            var connection = request.apply(to).subscribe().with(ignored -> {}, ignored -> {});
            to.after(travel(), connection::cancel);
        });
    }

    private final class Exchange<T> {
        private final Replica to;
        private final Function<Replica, Uni<Timestamped<T>>> request;
        private final Consumer<Reply<Timestamped<T>>> client;
        private final Instant sent = simulation.now();
        private boolean over;
        private Cancellable connection = () -> {};

        Exchange(Replica to, Function<Replica, Uni<Timestamped<T>>> request, Consumer<Reply<Timestamped<T>>> client) {
            this.to = to;
            this.request = request;
            this.client = client;
        }

        void arrive() {
            if (to.isDead()) {
                broken("nobody listens");
                return;
            }
            to.onDeath(() -> simulation.after(travel(), () -> broken("connection reset")));
            to.perform(() -> {
                connection = request.apply(to).subscribe().with(this::answer, this::fail);
                if (over) {
                    connection.cancel();
                }
            });
        }

        private void answer(Timestamped<T> at) {
            var now = simulation.now();
            var read = to.trueTimeOf(at.now());
            var counted = read.isBefore(sent) || read.isAfter(now) ? sent : read;
            reply(new Reply.Answer<>(at, sent, counted, at.now()));
        }

        private void fail(Throwable failure) {
            if (!isUnavailable(failure)) {
                oracle.violation("a request failed with %s", failure);
            }
            reply(new Reply.Unknown<>("503", sent));
        }

        private boolean isUnavailable(Throwable failure) {
            return failure instanceof CompositeException several
                    ? several.getCauses().stream().allMatch(this::isUnavailable)
                    : failure instanceof StoreUnavailableException;
        }

        private void reply(Reply<Timestamped<T>> reply) {
            if (!trouble(profile.clientTrouble())) {
                simulation.after(travel(), () -> tell(reply));
            }
        }

        /** The client hangs up; the replica notices. */
        void broken(String why) {
            if (!over) {
                tell(new Reply.Unknown<>(why, sent));
                simulation.after(travel(), () -> to.perform(() -> connection.cancel()));
            }
        }

        private void tell(Reply<Timestamped<T>> reply) {
            if (!over) {
                over = true;
                pending--;
                client.accept(reply);
            }
        }
    }
}

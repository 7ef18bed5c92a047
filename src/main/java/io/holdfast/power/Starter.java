package io.holdfast.power;

import io.holdfast.lock.Lease;
import io.holdfast.power.Actuator.State;
import io.holdfast.power.Decision.What;
import io.holdfast.power.Stopper.Timing;
import io.holdfast.power.Stopper.Verdict;
import io.holdfast.registry.DatabaseId;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Makes one database run before its app does. The app's hold is placed first, so a stop that is not yet committed never
 * will be; one that is committed is waited for, and then undone.
 */
@Singleton
class Starter {
    /** A lock taken this often in vain is held for longer than anybody who waits for an answer would wait. */
    private static final int LOCK_RETRIES = 12;

    private static final int CHANGES_MAX = 3;

    private final PowerStore store;
    private final DatabaseLock lock;
    private final Outside outside;
    private final Verifier verifier;
    private final Timing timing;

    Starter(PowerStore store, DatabaseLock lock, Outside outside, Verifier verifier, Timing timing) {
        this.store = store;
        this.lock = lock;
        this.outside = outside;
        this.verifier = verifier;
        this.timing = timing;
    }

    /** The app's hold is in place already. */
    Uni<Verdict> start(DatabaseId id) {
        return lock.take(id, LOCK_RETRIES).chain(taken -> switch (taken) {
            case DatabaseLock.Taken.No no ->
                verdict(What.STARTING, "another decision is under way: " + no.reason() + "; it will be started after");
            case DatabaseLock.Taken.Yes yes ->
                startHolding(id, 0)
                        .onItemOrFailure()
                        .call(() -> lock.giveBack(yes.lease()))
                        .map(verdict -> verdict.with(new Decision.Evidence(
                                List.of(),
                                Optional.of(yes.lease()).map(Lease::token),
                                verdict.evidence().epoch())));
        });
    }

    /** Under the lock: nobody else decides about this database meanwhile. */
    Uni<Verdict> startHolding(DatabaseId id, int changes) {
        return store.look(id).chain(found -> {
            if (found.isEmpty()) {
                return verdict(What.START_FAILED, "it is no longer registered");
            }
            var situation = found.get();
            var until = timing.now().plus(timing.config().answerMax());
            return settledState(situation, until).chain(state -> switch (state) {
                case RUNNING, STARTING -> running(situation, until, changes);
                case STOPPED -> order(situation, until, changes);
                case STOPPING, UNKNOWN ->
                    verdict(What.STARTING, "it is " + state + "; it will be started as soon as it has stopped");
            });
        });
    }

    /** A stop under way is waited for. Without one, whatever the database does is what it does. */
    private Uni<State> settledState(Situation situation, Instant until) {
        return switch (situation.state().phase()) {
            case STOPPING, STOP_STUCK ->
                verifier.watch(
                                situation.database(),
                                State.STOPPED::equals,
                                timing.now().plus(timing.config().answerMax().dividedBy(2)))
                        .chain(state -> state == State.STOPPING
                                ? verifier.watch(situation.database(), seen -> seen != State.STOPPING, until)
                                : Uni.createFrom().item(state));
            default -> verifier.watch(situation.database(), state -> state != State.STOPPING, until);
        };
    }

    private Uni<Verdict> running(Situation situation, Instant until, int changes) {
        var noted = situation.state().phase() == Phase.RUNNING
                ? Uni.createFrom().item(true)
                : store.commit(situation, Phase.RUNNING, timing.now());
        return noted.chain(done -> done
                ? verifier.answers(situation.database(), until)
                        .chain(answers -> answers
                                ? verdict(What.RUNNING, "it is running and answers")
                                : verdict(What.STARTING, "it is running but does not answer yet"))
                : lookAgain(situation.id(), changes));
    }

    private Uni<Verdict> order(Situation situation, Instant until, int changes) {
        var now = timing.now();
        return store.commit(situation, Phase.STARTING, now)
                .chain(committed -> committed
                        ? act(situation, situation.state().nextEpoch(now), until)
                        : lookAgain(situation.id(), changes));
    }

    /** Another app placed its hold meanwhile, or a link changed: neither speaks against a start. */
    private Uni<Verdict> lookAgain(DatabaseId id, int changes) {
        return changes < CHANGES_MAX
                ? startHolding(id, changes + 1)
                : verdict(What.STARTING, "too much changed meanwhile; it will be started shortly");
    }

    /** Orders a committed start, or repeats the order. */
    Uni<Verdict> act(Situation situation, long epoch, Instant until) {
        return outside.actuator().start(situation.database(), epoch).chain(outcome -> switch (outcome) {
            case Actuator.Outcome.Accepted accepted -> verify(situation, epoch, until);
            case Actuator.Outcome.Already already -> verify(situation, epoch, until);
            case Actuator.Outcome.Refused refused ->
                store.settle(situation.id(), epoch, Phase.STOPPED, timing.now())
                        .chain(() -> verdict(What.START_FAILED, refused.reason(), epoch));
            case Actuator.Outcome.Retry retry ->
                verdict(What.START_FAILED, retry.reason() + "; it will be tried again", epoch);
        });
    }

    private Uni<Verdict> verify(Situation situation, long epoch, Instant until) {
        return verifier.watch(situation.database(), State.RUNNING::equals, until)
                .chain(state -> state == State.RUNNING
                        ? verifier.answers(situation.database(), until)
                        : Uni.createFrom().item(false))
                .chain(answers -> answers
                        ? store.settle(situation.id(), epoch, Phase.RUNNING, timing.now())
                                .chain(() -> verdict(What.STARTED, "it was started and answers", epoch))
                        : verdict(What.STARTING, "accepted, still coming up", epoch));
    }

    private static Uni<Verdict> verdict(What what, String reason) {
        return verdict(what, reason, 0);
    }

    private static Uni<Verdict> verdict(What what, String reason, long epoch) {
        return Uni.createFrom()
                .item(new Verdict(what, reason, new Decision.Evidence(List.of(), Optional.empty(), epoch)));
    }
}

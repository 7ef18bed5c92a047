package io.holdfast.lock.history;

import io.holdfast.kernel.Subject;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the clients of one history share. */
record World(
        Simulation simulation,
        Profile profile,
        Oracle oracle,
        ClientNetwork network,
        List<LockName> locks,
        SharedIds sharedIds) {
    /** How long a client waits for an answer, apart from the time that it asked to wait for the lock. */
    static final Duration PATIENCE = Duration.ofSeconds(8);

    Owner ownerOf(String client) {
        return profile.hasOneOwnerName()
                ? new Owner("everyone", Optional.of(new Subject("token:" + client)))
                : new Owner(client);
    }

    LockId anId(Owner owner) {
        return profile.hasOneOwnerName() ? sharedIds.next(owner) : simulation.anId();
    }

    /** A client that is told of a lease believes that it is its own, in whatever name. */
    Lease toldTo(Owner owner, Lease lease) {
        return new Lease(lease.name(), lease.id(), owner, lease.token(), lease.term(), lease.labels());
    }

    LockName anyLock() {
        return simulation.oneOf(locks);
    }

    Duration think() {
        return simulation.between(Duration.ofMillis(10), profile.thinkMax());
    }

    Duration work() {
        return simulation.between(Duration.ofMillis(100), profile.workMax());
    }

    /** Terms of a new acquisition: some wait, some do not. */
    Requests.Terms terms() {
        var waits = simulation.chance(profile.waits())
                ? Optional.of(simulation.between(Duration.ofSeconds(1), profile.waitMax()))
                : Optional.<Duration>empty();
        return new Requests.Terms(profile.ttl(), waits);
    }

    static Duration patience(LeaseTerms wish) {
        return PATIENCE.plus(wish.waitFor().orElse(Duration.ZERO));
    }

    Duration renewEvery() {
        return profile.ttl().dividedBy(3);
    }

    void note(Owner owner, String format, Object... facts) {
        simulation.note(owner.subject().map(Subject::value).orElse(owner.value()) + ": " + format, facts);
    }
}

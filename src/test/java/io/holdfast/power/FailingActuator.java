package io.holdfast.power;

import io.holdfast.power.port.Actuator;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CountDownLatch;

/** The process that called it ends in the middle of an order: before it left, or before its answer came back. */
final class FailingActuator implements Actuator {
    private final FakeDatabase database;
    private final boolean carriesOut;
    private final CountDownLatch died = new CountDownLatch(1);

    FailingActuator(FakeDatabase database, boolean carriesOut) {
        this.database = database;
        this.carriesOut = carriesOut;
    }

    boolean hasDied() {
        return died.getCount() == 0;
    }

    @Override
    public Uni<Outcome> stop(Database target, long epoch) {
        return dying(database.stop(target, epoch));
    }

    @Override
    public Uni<Outcome> start(Database target, long epoch) {
        return dying(database.start(target, epoch));
    }

    private Uni<Outcome> dying(Uni<Outcome> order) {
        var carriedOut = carriesOut ? order.replaceWithVoid() : Uni.createFrom().voidItem();
        return carriedOut.invoke(died::countDown).chain(() -> Uni.createFrom().nothing());
    }

    @Override
    public Uni<Reading> state(Database target) {
        return database.state(target);
    }
}

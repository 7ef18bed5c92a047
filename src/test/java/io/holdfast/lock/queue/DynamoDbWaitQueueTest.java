package io.holdfast.lock.queue;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RETENTION;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.kernel.FakeTimers;
import io.holdfast.kernel.TestClock;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockSettings;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Two replicas on one table, each with a connection of its own; and what waiting costs there. */
@Slow
class DynamoDbWaitQueueTest extends FairnessContract {
    private static final int WAITERS = 100;
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(100);

    private final String table = "line-" + UUID.randomUUID();
    private final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    private final List<DynamoDbAsyncClient> clients = List.of(
            DynamoDbLocal.shared().client(proxy.endpoint()),
            DynamoDbLocal.shared().client());

    @Override
    protected List<LockStore> replicas() {
        return clients.stream().map(client -> store(client, RULES)).toList();
    }

    @AfterEach
    void close() {
        clients.forEach(DynamoDbAsyncClient::close);
        proxy.close();
    }

    /** All of them come, wait for a minute and go with empty hands. The minute is the test's own. */
    @Test
    void aHundredWaitersForAMinuteCostFewerThanTenWritesASecond() {
        var clock = new TestClock(NOON);
        var timers = new FakeTimers(clock);
        var rules = new LockRules(SKEW, RETENTION, WAITERS, true);
        var store = store(clients.getFirst(), rules);
        var limits = new LockLimits(new LockSettings(), WaitSettings.DEFAULT.queueMax(WAITERS));
        var observer = new LeaseObserver(System::nanoTime, SKEW, 100);
        var waiters = new TestWaiters(store, limits, clock, timers, observer)
                .waiters(WaitListener.NONE, new Cleanup(clock, timers, 100));
        var name = aName();
        await(store.acquire(wants(ADA, name, Duration.ofHours(1)), NOON));
        proxy.resetCounts();

        var callers = IntStream.range(0, WAITERS)
                .mapToObj(i -> wants(new Owner("w" + i), name))
                .map(request -> new Caller(request.owner(), waiters.acquire(request, WAIT)))
                .toList();
        // A deadline for each, one look for all, and one word for all.
        await().until(() -> timers.waiting() == WAITERS + 2);
        var arrivals = proxy.count("UpdateItem");
        for (var elapsed = Duration.ZERO; elapsed.compareTo(WAIT) < 0; elapsed = elapsed.plus(STEP)) {
            timers.advance(STEP);
            // Whoever looks has an answer before time goes on.
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() ->
                            timers.waiting() > WAITERS + 1 || callers.getLast().isAnswered());
        }

        await().until(() -> callers.stream().allMatch(Caller::isAnswered));

        var writes = proxy.count("UpdateItem");
        var all = proxy.counts().values().stream().mapToInt(Integer::intValue).sum();
        assertThat(callers)
                .allSatisfy(caller -> assertThat(caller.outcome()).isInstanceOf(AcquireOutcome.GaveUp.class));
        assertThat(arrivals)
                .as("one that is refused and one that joins, for each")
                .isLessThanOrEqualTo(2 * WAITERS);
        assertThat(writes).isLessThan((int) (10 * WAIT.toSeconds()));
        assertThat(writes - arrivals)
                .as("words of the replica, and the ticket of a caller that was looked after when its wait ended")
                .isBetween(10, 14);
        assertThat(all - writes).as("looks").isBetween(50, 100);
    }

    private LockStore store(DynamoDbAsyncClient client, LockRules rules) {
        var store = new DynamoDbStore(
                client, table, DynamoDbSettings.DEFAULT, rules, Clock.systemUTC(), StoreTelemetry.NONE);
        await(store.start());
        return store.locks();
    }
}

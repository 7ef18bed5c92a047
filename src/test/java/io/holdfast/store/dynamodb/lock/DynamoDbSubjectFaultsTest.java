package io.holdfast.store.dynamodb.lock;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.Subject;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.SubjectFacts;
import io.holdfast.lock.port.SubjectFacts.Pair;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Subjects of leases when an answer of DynamoDB is lost, and what they cost. */
@Slow
class DynamoDbSubjectFaultsTest {
    private final String table = "subjects-" + UUID.randomUUID();
    private FaultProxy proxy;
    private DynamoDbAsyncClient client;
    private LockStore locks;

    @BeforeEach
    void open() throws Exception {
        proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
        client = DynamoDbLocal.shared().client(proxy.endpoint());
        var store = new DynamoDbStore(
                client,
                table,
                new DynamoDbSettings(3, Duration.ofSeconds(60)),
                RULES,
                Clock.systemUTC(),
                StoreTelemetry.NONE);
        locks = store.locks();
        await(store.start());
        proxy.resetCounts();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        proxy.close();
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void acquireRenewReleaseAndForceReleaseStayOneUpdateItemEach(Pair pair) {
        var lease = leaseOf(pair.stored());
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 1));
        var ref = new LeaseRef(lease.name(), lease.id(), pair.asking());

        await(locks.renew(ref, Optional.empty(), NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 2));
        await(locks.forceRelease(force(lease, Optional.of(new Subject("token:stranger"))), NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 3));
        await(locks.release(ref, NOON));
        assertThat(proxy.counts()).isEqualTo(Map.of("UpdateItem", 4));
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void aReleaseWhoseAnswerWasLostIsRecognisedByTheSameSubject(Pair pair) {
        var lease = leaseOf(pair.stored());
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);

        var outcome = await(locks.release(new LeaseRef(lease.name(), lease.id(), pair.asking()), NOON.plusSeconds(5)));

        assertThat(outcome)
                .isEqualTo(pair.same() ? new ReleaseOutcome.Released(lease) : new ReleaseOutcome.HeldByAnother(lease));
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void aRenewalWhoseAnswerWasLostIsCarriedOutForTheSameSubjectOnly(Pair pair) {
        var lease = leaseOf(pair.stored());
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);
        var ref = new LeaseRef(lease.name(), lease.id(), pair.asking());

        var outcome = await(locks.renew(ref, Optional.empty(), NOON.plusSeconds(5)));

        assertThat(outcome instanceof RenewOutcome.Renewed).isEqualTo(pair.same());
        assertThat(record(lease).lease().owner()).isEqualTo(pair.same() ? pair.after() : pair.stored());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.port.SubjectFacts#pairs")
    void anAcquireWhoseAnswerWasLostIsRecognised(Pair pair) {
        var request = request(pair.stored());
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);

        assertThat(await(locks.acquire(request, NOON))).isInstanceOf(AcquireOutcome.Granted.class);

        var other = AcquireRequest.once(new LeaseRef(request.name(), request.id(), pair.asking()), TTL, Labels.NONE);
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);
        assertThat(await(locks.acquire(other, NOON)) instanceof AcquireOutcome.AlreadyHeld)
                .isEqualTo(pair.same());
    }

    @Test
    void aForceReleaseOfItsOwnWhoseAnswerWasLostIsRecognised() {
        var lease = leaseOf(SubjectFacts.OF_A);
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);

        assertThat(await(locks.forceRelease(force(lease, Optional.of(SubjectFacts.A)), NOON)))
                .isEqualTo(new ForceReleaseOutcome.Freed(
                        Optional.of(lease), lease.token().next()));
    }

    /** An administrator gave the same reason in between. */
    @Test
    void aForceReleaseThatWasNotCarriedOutIsNotTakenForItsOwn() {
        var lease = leaseOf(SubjectFacts.OF_A);
        proxy.next("UpdateItem", Fault.LOSE_ANSWER);
        proxy.afterNext("UpdateItem", () -> {
            try (var direct = DynamoDbLocal.shared().client()) {
                var admins = new DynamoDbStore(
                        direct, table, DynamoDbSettings.DEFAULT, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
                assertThat(await(admins.locks().forceRelease(force(lease, Optional.empty()), NOON)))
                        .isInstanceOf(ForceReleaseOutcome.Freed.class);
            }
        });

        assertThat(await(locks.forceRelease(force(lease, Optional.of(SubjectFacts.B)), NOON)))
                .isEqualTo(new ForceReleaseOutcome.BelongsToAnother(record(lease)));
    }

    /** Neither write changes an attempt or the number of renewals, so only the subject tells them apart. */
    @Test
    void ofTwoSubjectsThatReadALeaseWithoutOneTheSecondIsNotStored() {
        var lease = leaseOf(SubjectFacts.OF_NONE);
        var seen = record(lease);
        var writes = new LeaseWrites(table, RULES);

        client.updateItem(writes.confirm(seen, seen.renewed(lease.adoptedBy(SubjectFacts.OF_A))))
                .join();
        var second = client.updateItem(writes.confirm(seen, seen.renewed(lease.adoptedBy(SubjectFacts.OF_B))));

        assertThatThrownBy(second::join).hasCauseInstanceOf(ConditionalCheckFailedException.class);
        assertThat(record(lease).lease().owner()).isEqualTo(SubjectFacts.OF_A);
    }

    private static AcquireRequest request(Owner owner) {
        return AcquireRequest.once(new LeaseRef(aName(), LockId.random(), owner), TTL, Labels.NONE);
    }

    private static ForceRelease force(Lease seen, Optional<Subject> onlyOf) {
        return new ForceRelease(seen.name(), seen.token(), "stuck", Duration.ZERO, onlyOf);
    }

    private Lease leaseOf(Owner owner) {
        return ((AcquireOutcome.Granted) await(locks.acquire(request(owner), NOON))).lease();
    }

    private LockRecord record(Lease lease) {
        return await(locks.find(lease.name())).orElseThrow();
    }
}

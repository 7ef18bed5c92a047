package io.holdfast.store.dynamodb.database;

import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.registry.RegistryFixtures.HTTP_PROBE;
import static io.holdfast.registry.RegistryFixtures.NO_PROBE;
import static io.holdfast.registry.RegistryFixtures.aName;
import static io.holdfast.registry.RegistryFixtures.anId;
import static io.holdfast.registry.RegistryFixtures.app;
import static io.holdfast.registry.RegistryFixtures.database;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.App;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore;
import io.holdfast.registry.RegistryStore.PutOutcome;
import io.holdfast.registry.RegistryStore.RemoveAppOutcome;
import io.holdfast.registry.RegistryStore.RemoveDatabaseOutcome;
import io.holdfast.registry.SharedDatabase;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What the network, DynamoDB and other replicas do to a registration, each as the interleaving it is. */
@Slow
class DynamoDbRegistryFaultsTest {
    private static final int ATTEMPTS = 3;
    private static final String TRANSACTION = "TransactWriteItems";

    private final String table = "registry-faults-" + UUID.randomUUID();
    private FaultProxy proxy;
    private DynamoDbAsyncClient client;
    private RegistryStore registry;

    @BeforeEach
    void open() {
        proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
        client = DynamoDbLocal.shared().client(proxy.endpoint());
        var store = storeOn(client);
        await(store.start());
        registry = store.registry();
    }

    @AfterEach
    void close() {
        client.close();
        proxy.close();
    }

    // A lost answer.

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void anAppWhoseAnswerWasLostIsCreatedOnce(Fault fault) {
        var id = registered();
        var start = look(id).edgeVersion();
        var app = app(aName(), id);
        proxy.next(TRANSACTION, fault);

        var outcome = await(registry.putApp(app));

        assertThat(outcome).isEqualTo(new PutOutcome.Created());
        assertThat(look(id).sharers()).containsExactly(app.sharer());
        assertThat(look(id).edgeVersion()).isEqualTo(start + 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aRemovalOfAnAppWhoseAnswerWasLostIsStillARemoval(Fault fault) {
        var id = registered();
        var app = put(app(aName(), id));
        var start = look(id).edgeVersion();
        proxy.next(TRANSACTION, fault);

        var outcome = await(registry.removeApp(app.name()));

        assertThat(outcome).isEqualTo(new RemoveAppOutcome.Removed());
        assertThat(look(id).sharers()).isEmpty();
        assertThat(look(id).edgeVersion()).isEqualTo(start + 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aDatabaseWhoseAnswersWereLostIsCreatedAndRemoved(Fault fault) {
        var id = anId();
        proxy.next(TRANSACTION, fault);
        assertThat(await(registry.putDatabase(database(id)))).isEqualTo(new PutOutcome.Created());

        proxy.next(TRANSACTION, fault);
        assertThat(await(registry.removeDatabase(id))).isEqualTo(new RemoveDatabaseOutcome.Removed());
    }

    // What passes, and what does not.

    @ParameterizedTest
    @EnumSource(names = {"ERROR_500_BEFORE", "THROTTLE", "REFUSE", "CANCEL_BY_CONFLICT", "CANCEL_BY_THROTTLING"})
    void aRegistrationSurvivesAPassingFault(Fault fault) {
        var id = registered();
        var app = app(aName(), id);
        proxy.next(TRANSACTION, fault);
        proxy.next(TRANSACTION, fault);

        assertThat(await(registry.putApp(app))).isEqualTo(new PutOutcome.Created());
        assertThat(look(id).sharers()).containsExactly(app.sharer());
    }

    @ParameterizedTest
    @EnumSource(names = {"ERROR_500_BEFORE", "THROTTLE", "REFUSE", "CANCEL_BY_THROTTLING"})
    void anOutageEndsAsUnavailableAfterAllAttemptsAndLeavesNothingBehind(Fault fault) {
        var id = registered();
        var before = look(id);
        var app = app(aName(), id);
        proxy.resetCounts();
        failEveryTransaction(fault, ATTEMPTS);

        assertThatThrownBy(() -> await(registry.putApp(app))).isInstanceOf(StoreUnavailableException.class);

        assertThat(proxy.count(TRANSACTION)).isEqualTo(ATTEMPTS);
        assertThat(look(id)).isEqualTo(before);
        assertThat(await(registry.findApp(app.name()))).isEmpty();
    }

    @Test
    void endlessConflictsEndAsUnavailable() {
        var app = app(aName(), registered());
        failEveryTransaction(Fault.CANCEL_BY_CONFLICT, 1000);

        assertThatThrownBy(() -> await(registry.putApp(app)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(app.name().value());
        assertThat(proxy.count(TRANSACTION)).isLessThan(20);
    }

    // Others in between.

    @Test
    void anAppChangedByAnotherBetweenLookAndWriteIsChangedAnew() {
        var first = registered();
        var second = registered();
        var third = registered();
        var app = put(app(aName(), first));
        meanwhile(TRANSACTION, other -> await(other.putApp(app(app.name(), NO_PROBE, second))));

        var outcome = await(registry.putApp(app(app.name(), third)));

        assertThat(outcome).isEqualTo(new PutOutcome.Updated());
        assertThat(look(first).sharers()).isEmpty();
        assertThat(look(second).sharers()).isEmpty();
        assertThat(look(third).sharers()).containsExactly(app.sharer());
    }

    @Test
    void anAppRemovedAndMadeAnewBetweenLookAndWriteIsNotTakenForTheOldOne() {
        var first = registered();
        var second = registered();
        var app = put(app(aName(), first));
        meanwhile(TRANSACTION, other -> {
            await(other.removeApp(app.name()));
            await(other.putApp(app(app.name(), first, second)));
        });

        await(registry.removeApp(app.name()));

        assertThat(look(first).sharers()).isEmpty();
        assertThat(look(second).sharers()).isEmpty();
    }

    @Test
    void aDatabaseRemovedBetweenLookAndWriteIsMissing() {
        var id = registered();
        var app = app(aName(), id);
        meanwhile(TRANSACTION, other -> await(other.removeDatabase(id)));

        assertThat(await(registry.putApp(app))).isEqualTo(new PutOutcome.NoSuchDatabases(Set.of(id)));
        assertThat(await(registry.findApp(app.name()))).isEmpty();
        assertThat(await(registry.findDatabase(id))).isEmpty();
    }

    @Test
    void aDatabaseLinkedBetweenLookAndRemovalStays() {
        var id = registered();
        var app = app(aName(), id);
        meanwhile(TRANSACTION, other -> await(other.putApp(app)));

        assertThat(await(registry.removeDatabase(id)))
                .isEqualTo(new RemoveDatabaseOutcome.StillLinked(List.of(app.name())));
        assertThat(look(id).sharers()).containsExactly(app.sharer());
    }

    @Test
    void aDatabaseRemovedBetweenLookAndUpdateIsCreatedAnew() {
        var id = registered();
        var changed = database(id, new ActuatorSpec.Rds("orders", false, Optional.empty()));
        meanwhile(TRANSACTION, other -> await(other.removeDatabase(id)));

        assertThat(await(registry.putDatabase(changed))).isEqualTo(new PutOutcome.Created());
        assertThat(look(id).database()).isEqualTo(changed);
    }

    // A look that sees half of a transaction.

    @Test
    void aLookThatMissesALinkOfItsEdgeVersionIsTakenAgain() {
        var id = registered();
        var app = put(app(aName(), id));
        var link = client.getItem(get -> get.tableName(table).key(RegistryItem.linkKey(id, app.name())))
                .join()
                .item();
        client.deleteItem(delete -> delete.tableName(table).key(RegistryItem.linkKey(id, app.name())))
                .join();
        proxy.resetCounts();
        proxy.afterNext(
                "Query",
                () -> client.putItem(put -> put.tableName(table).item(link)).join());

        assertThat(look(id).sharers()).containsExactly(app.sharer());
        assertThat(proxy.count("Query")).isEqualTo(2);
    }

    @Test
    void aLookThatSeesAnOldProbeWithTheNewEdgeVersionIsNoAnswer() {
        var id = registered();
        var app = put(app(aName(), HTTP_PROBE, id));
        var old = client.getItem(get -> get.tableName(table).key(RegistryItem.linkKey(id, app.name())))
                .join()
                .item();
        put(app(app.name(), NO_PROBE, id));
        client.putItem(put -> put.tableName(table).item(old)).join();

        assertThatThrownBy(() -> look(id)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> await(registry.removeDatabase(id))).isInstanceOf(StoreUnavailableException.class);
    }

    private void failEveryTransaction(Fault fault, int times) {
        for (var i = 0; i < times; i++) {
            proxy.next(TRANSACTION, fault);
        }
    }

    /** Another replica, past the proxy, does something right before the next such request of ours is carried out. */
    private void meanwhile(String operation, Consumer<RegistryStore> happening) {
        proxy.beforeNext(operation, () -> {
            try (var direct = DynamoDbLocal.shared().client()) {
                happening.accept(storeOn(direct).registry());
            }
        });
    }

    private DatabaseId registered() {
        var id = anId();
        await(registry.putDatabase(database(id)));
        return id;
    }

    private App put(App app) {
        assertThat(await(registry.putApp(app))).isNotInstanceOf(PutOutcome.NoSuchDatabases.class);
        return app;
    }

    private SharedDatabase look(DatabaseId id) {
        return await(registry.findDatabase(id)).orElseThrow();
    }

    private DynamoDbStore storeOn(DynamoDbAsyncClient on) {
        return new DynamoDbStore(
                on,
                table,
                new DynamoDbSettings(ATTEMPTS, Duration.ofSeconds(60)),
                RULES,
                Clock.systemUTC(),
                StoreTelemetry.NONE);
    }
}

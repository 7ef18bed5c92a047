package io.holdfast.store.dynamodb.database;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryFixtures;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.EarlierPowerContract;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import io.smallrye.mutiny.Uni;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeAction;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.AttributeValueUpdate;

/** Items of a database with {@code power_wish:}, {@code power_hold:} and an entry under {@code UNSETTLED}. */
@Slow
class EarlierPowerItemsTest extends EarlierPowerContract {
    private final String table = "earlier-power-" + UUID.randomUUID();
    private DynamoDbAsyncClient client;
    private DynamoDbStore store;

    @BeforeEach
    void open() {
        client = DynamoDbLocal.shared().replicasClient();
        store = replica();
        await(store.start());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void theItemAndTheListHaveThePresentNamesAfterwards() {
        given();

        pending();
        state();

        assertThat(item().keySet())
                .contains("power_stop_request:asks", "power_claim:claims", "power_claim_version")
                .noneMatch(name -> name.contains("wish") || name.contains("hold"));
        assertThat(entries("UNSETTLED")).isEmpty();
        assertThat(entries("PENDING")).containsExactly(id.value());
    }

    @Test
    void replicasThatConvertAtOnceReadTheSame() {
        var state = given();
        var replicas = IntStream.range(0, 8).mapToObj(i -> replica()).toList();

        var snapshots = await(Uni.join()
                .all(replicas.stream()
                        .map(replica -> replica.power().snapshot(id))
                        .toList())
                .andFailFast());
        var pages = await(Uni.join()
                .all(replicas.stream()
                        .map(replica -> replica.power().pending(10, Optional.empty(), NOON))
                        .toList())
                .andFailFast());

        assertThat(snapshots)
                .allSatisfy(
                        snapshot -> assertThat(snapshot.orElseThrow().state()).isEqualTo(state));
        assertThat(pages).hasSize(8);
        assertThat(pending()).containsExactly(id);
        assertThat(entries("UNSETTLED")).isEmpty();
    }

    @Test
    void moreEntriesThanOnePageAreMoved() {
        var ids = IntStream.range(0, 120)
                .mapToObj(i -> RegistryFixtures.anId())
                .sorted(Comparator.comparing(DatabaseId::value))
                .toList();
        ids.forEach(this::markAsPending);

        assertThat(pending()).containsExactlyElementsOf(ids);
        assertThat(entries("UNSETTLED")).isEmpty();
    }

    /** A replica that crashed after the first of several writes has left some attributes under each name. */
    @Test
    void anItemThatIsHalfConvertedIsConverted() {
        var state = given();
        write(Map.of("power_claim:claims", time(UNTIL.minusSeconds(1)), "power_claim_version", number(3)));

        assertThat(state())
                .isEqualTo(state.with(new PowerState.Intents(
                        10, state.intents().stopRequests(), state.intents().startClaims())));
    }

    @Test
    void aStopIsNotCommittedWhenAClaimCameUnderTheEarlierName() {
        given();
        var seen = snapshot();
        write(Map.of("power_hold:asks", time(UNTIL), "power_hold_version", number(1)));

        assertThat(await(power().commit(seen, Phase.STOPPING, NOON))).isFalse();
        assertThat(state().intents().startClaims()).containsKey(ASKS);
        assertThat(await(power().commit(seen, Phase.STOPPING, NOON))).isFalse();
    }

    @Override
    protected PowerStore power() {
        return store.power();
    }

    @Override
    protected RegistryStore registry() {
        return store.registry();
    }

    @Override
    protected void store(PowerState state) {
        var attributes = new HashMap<String, AttributeValue>();
        attributes.put("power_phase", text(state.phase().name()));
        attributes.put("power_epoch", number(state.epoch()));
        attributes.put("power_since", time(state.since()));
        attributes.put("power_version", number(12));
        if (state.intents().version() > 0) {
            attributes.put("power_hold_version", number(state.intents().version()));
        }
        state.intents().stopRequests().forEach((app, at) -> attributes.put("power_wish:" + app, time(at)));
        state.intents().startClaims().forEach((app, until) -> attributes.put("power_hold:" + app, time(until)));
        write(attributes);
        markAsPending(id);
    }

    @Override
    protected void store(DatabaseId database, String decision) {
        client.putItem(put -> put.tableName(table)
                        .item(Map.of(
                                "PK", text("DECISIONS#" + database),
                                "SK", text("%019d-1".formatted(Long.MAX_VALUE - SINCE.toEpochMilli())),
                                "body", text(decision))))
                .join();
    }

    private DynamoDbStore replica() {
        return new DynamoDbStore(
                client, table, DynamoDbSettings.DEFAULT, Fixtures.RULES, Clock.systemUTC(), StoreTelemetry.NONE);
    }

    private void markAsPending(DatabaseId database) {
        client.putItem(put -> put.tableName(table).item(Map.of("PK", text("UNSETTLED"), "SK", text(database.value()))))
                .join();
    }

    private void write(Map<String, AttributeValue> attributes) {
        var updates = new HashMap<String, AttributeValueUpdate>();
        attributes.forEach((name, value) -> updates.put(
                name,
                AttributeValueUpdate.builder()
                        .action(AttributeAction.PUT)
                        .value(value)
                        .build()));
        client.updateItem(update -> update.tableName(table)
                        .key(RegistryItem.databaseKey(id))
                        .attributeUpdates(updates))
                .join();
    }

    private Map<String, AttributeValue> item() {
        return client.getItem(get ->
                        get.tableName(table).key(RegistryItem.databaseKey(id)).consistentRead(true))
                .join()
                .item();
    }

    private List<String> entries(String partition) {
        return client
                .query(query -> query.tableName(table)
                        .keyConditionExpression("PK = :pk")
                        .expressionAttributeValues(Map.of(":pk", text(partition)))
                        .consistentRead(true))
                .join()
                .items()
                .stream()
                .map(entry -> entry.get("SK").s())
                .toList();
    }
}

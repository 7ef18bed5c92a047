package io.holdfast.store.dynamodb;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;

@Slow
class DynamoDbTableTest {
    private final String name = "table-" + UUID.randomUUID();
    private DynamoDbAsyncClient client;
    private DynamoDbStore store;

    @BeforeEach
    void open() {
        client = DynamoDbLocal.shared().replicasClient();
        store = new DynamoDbStore(
                client, name, DynamoDbSettings.DEFAULT, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aMissingTableIsNamedTogetherWithItsRemedy() {
        assertThat(await(store.problems()))
                .singleElement()
                .asString()
                .contains(name, "does not exist", "HOLDFAST_TABLE");
        assertThatThrownBy(() -> await(store.locks().acquire(wants(ADA, aName()), NOON)))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aTableWithAnotherKeyIsDescribedPrecisely() {
        createWithKey("app_name");

        assertThat(await(store.problems()))
                .singleElement()
                .asString()
                .contains(name, "[app_name HASH S]", "[PK HASH S, SK RANGE S]");
    }

    @Test
    void aTableWithoutTtlIsUsableAndWarnedOf() {
        createWithKey("PK", "SK");

        assertThat(await(store.problems())).isEmpty();
        assertThat(await(store.table().warnings()))
                .singleElement()
                .asString()
                .contains(name, "no TTL on the attribute 'ttl'");
    }

    @Test
    void creatingMakesAGoodTableAndDoingItAgainChangesNothing() {
        assertThat(await(store.table().create())).isTrue();
        assertThat(await(store.table().create())).isFalse();

        assertThat(await(store.problems())).isEmpty();
        assertThat(await(store.table().warnings())).isEmpty();
    }

    @Test
    void creatingLeavesATableWithAnotherKeyAsItIs() {
        createWithKey("app_name");

        assertThat(await(store.table().create())).isFalse();
        assertThat(await(store.table().warnings())).isNotEmpty();
    }

    @Test
    void creatingSwitchesTheTtlOnWhereNothingElseIsMissing() {
        createWithKey("PK", "SK");

        assertThat(await(store.table().create())).isFalse();
        assertThat(await(store.table().warnings())).isEmpty();
    }

    @Test
    void aTableMadeAfterTheStartIsNoticedWithoutARestart() {
        assertThat(await(store.problems())).isNotEmpty();
        createWithKey("PK", "SK");

        assertThat(await(store.problems())).isEmpty();
        assertThat(await(store.locks().acquire(wants(ADA, aName()), NOON))).isInstanceOf(AcquireOutcome.Granted.class);
    }

    private void createWithKey(String... keys) {
        var attributes = List.of(keys).stream()
                .map(key -> AttributeDefinition.builder()
                        .attributeName(key)
                        .attributeType("S")
                        .build())
                .toList();
        var schema = List.of(keys).stream()
                .map(key -> KeySchemaElement.builder()
                        .attributeName(key)
                        .keyType(key.equals(keys[0]) ? KeyType.HASH : KeyType.RANGE)
                        .build())
                .toList();
        client.createTable(create -> create.tableName(name)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(attributes)
                        .keySchema(schema))
                .join();
    }
}

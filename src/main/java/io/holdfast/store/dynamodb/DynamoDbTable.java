package io.holdfast.store.dynamodb;

import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Creates the table, and checks an existing one. */
public final class DynamoDbTable {
    private static final String TTL_ATTRIBUTE = "ttl";
    private static final Duration POLL_EVERY = Duration.ofMillis(500);
    private static final Duration CREATE_MAX = Duration.ofMinutes(2);

    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final String table;

    DynamoDbTable(DynamoDbAsyncClient client, DynamoDbCalls calls, String table) {
        this.client = client;
        this.calls = calls;
        this.table = table;
    }

    /**
     * Creates the table and enables its TTL. If the table exists, only the TTL is enabled. A table with another key
     * belongs to another program and is not changed: a TTL could delete its data.
     *
     * @return whether this call created it
     */
    public Uni<Boolean> create() {
        var request = CreateTableRequest.builder()
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attribute(Attributes.PK), attribute(Attributes.SK))
                .keySchema(key(Attributes.PK, KeyType.HASH), key(Attributes.SK, KeyType.RANGE))
                .build();
        return Uni.createFrom()
                .completionStage(() -> client.createTable(request))
                .replaceWith(true)
                .onFailure(e -> caused(e, ResourceInUseException.class))
                .recoverWithItem(false)
                .call(this::waitUntilActive)
                .call(() -> problems()
                        .chain(problems -> problems.isEmpty()
                                ? enableTtl()
                                : Uni.createFrom().voidItem()));
    }

    /** The problems that make the table unusable, one sentence each. */
    public Uni<List<String>> problems() {
        return describe().map(found -> found.map(this::schemaProblems)
                .orElseGet(() -> List.of("The DynamoDB table '" + table
                        + "' does not exist in this region. Create it, or set HOLDFAST_TABLE to one that does.")));
    }

    /** Advice about a usable table, one sentence each. */
    public Uni<List<String>> warnings() {
        return calls.call("describe_ttl", () -> client.describeTimeToLive(ttl -> ttl.tableName(table)))
                .map(Result::unconditional)
                .map(response -> ttlWarnings(response.timeToLiveDescription()));
    }

    private Uni<Optional<TableDescription>> describe() {
        return calls.call("describe_table", () -> client.describeTable(describe -> describe.tableName(table)))
                .map(Result::unconditional)
                .map(response -> Optional.of(response.table()))
                .onFailure(e -> caused(e, ResourceNotFoundException.class))
                .recoverWithItem(Optional.empty());
    }

    private List<String> schemaProblems(TableDescription found) {
        var problems = new ArrayList<String>();
        if (found.tableStatus() != TableStatus.ACTIVE && found.tableStatus() != TableStatus.UPDATING) {
            problems.add("The DynamoDB table '" + table + "' is " + found.tableStatusAsString() + ", not ACTIVE.");
        }
        var types = found.attributeDefinitions().stream()
                .collect(Collectors.toMap(
                        AttributeDefinition::attributeName, AttributeDefinition::attributeTypeAsString));
        var keys = found.keySchema().stream()
                .map(key -> key.attributeName() + " " + key.keyTypeAsString() + " " + types.get(key.attributeName()))
                .toList();
        var wanted = List.of("PK HASH S", "SK RANGE S");
        if (!keys.equals(wanted)) {
            problems.add("The DynamoDB table '" + table + "' has the key " + keys + "; Holdfast needs " + wanted
                    + ". A key cannot be changed: create another table and set HOLDFAST_TABLE to it.");
        }
        return problems;
    }

    private List<String> ttlWarnings(TimeToLiveDescription ttl) {
        var on = ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
        if (on && TTL_ATTRIBUTE.equals(ttl.attributeName())) {
            return List.of();
        }
        return List.of("The DynamoDB table '" + table + "' has no TTL on the attribute '" + TTL_ATTRIBUTE
                + "'. Locks are safe without it; only the sweeper removes old records then.");
    }

    private Uni<Void> waitUntilActive() {
        return describe()
                .repeat()
                .withDelay(POLL_EVERY)
                .atMost(CREATE_MAX.dividedBy(POLL_EVERY))
                .select()
                .where(found -> found.map(TableDescription::tableStatus)
                        .filter(TableStatus.ACTIVE::equals)
                        .isPresent())
                .toUni()
                .onItem()
                .ifNull()
                .failWith(() -> new IllegalStateException(
                        "The DynamoDB table '" + table + "' did not become ACTIVE within " + CREATE_MAX + "."))
                .replaceWithVoid();
    }

    private Uni<Void> enableTtl() {
        return warnings()
                .chain(warnings -> warnings.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom()
                                .completionStage(() -> client.updateTimeToLive(update -> update.tableName(table)
                                        .timeToLiveSpecification(
                                                ttl -> ttl.enabled(true).attributeName(TTL_ATTRIBUTE))))
                                .replaceWithVoid());
    }

    private static boolean caused(Throwable failure, Class<? extends Throwable> type) {
        return type.isInstance(failure)
                || (failure instanceof CompletionException || failure instanceof RuntimeException)
                        && type.isInstance(failure.getCause());
    }

    private static AttributeDefinition attribute(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }
}

package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.SharedDatabase;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads a database with all its links by one strongly consistent query per megabyte.
 *
 * <p>A query may see one part of a concurrent transaction, such as a new edge version without its new link. To detect
 * this, the item of the database contains the sum of its links' revisions. If the sum does not match, the query is
 * repeated.
 */
public final class DatabaseQuery {
    private static final int READS_MAX = 12;

    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final String table;

    public DatabaseQuery(DynamoDbAsyncClient client, DynamoDbCalls calls, String table) {
        this.client = client;
        this.calls = calls;
        this.table = table;
    }

    /** @param item the item of the database, including its power attributes */
    record Found(SharedDatabase shared, Map<String, AttributeValue> item) {}

    Uni<Optional<Found>> find(DatabaseId id) {
        return find(id, 1);
    }

    private Uni<Optional<Found>> find(DatabaseId id, int number) {
        return items(id, List.of(), Map.of()).chain(items -> {
            if (items.isEmpty() || RegistryItem.isLink(items.getFirst())) {
                return Uni.createFrom().item(Optional.empty());
            }
            var database = items.getFirst();
            var links = items.stream().filter(RegistryItem::isLink).toList();
            if (sumMatches(database, links)) {
                return Uni.createFrom().item(Optional.of(read(id, database, links)));
            }
            return number < READS_MAX
                    ? calls.pause(number).chain(() -> find(id, number + 1))
                    : Uni.createFrom()
                            .failure(new StoreUnavailableException(
                                    "The links of database '" + id + "' kept changing while they were read."));
        });
    }

    private Uni<List<Map<String, AttributeValue>>> items(
            DatabaseId id, List<Map<String, AttributeValue>> before, Map<String, AttributeValue> from) {
        var request = QueryRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .keyConditionExpression("#pk = :pk AND #sk BETWEEN :first AND :last")
                .expressionAttributeNames(Map.of("#pk", PK, "#sk", SK))
                .expressionAttributeValues(Map.of(
                        ":pk", RegistryItem.databasePartition(id),
                        ":first", text(RegistryItem.SK_DATABASE),
                        ":last", text(RegistryItem.SK_LINKS_END)))
                .exclusiveStartKey(from.isEmpty() ? null : from)
                .build();
        return calls.call("find_database", () -> client.query(request))
                .map(DynamoDbCalls.Result::unconditional)
                .chain(response -> {
                    var items = new ArrayList<>(before);
                    items.addAll(response.items());
                    return response.hasLastEvaluatedKey()
                            ? items(id, items, response.lastEvaluatedKey())
                            : Uni.createFrom().item(items);
                });
    }

    private static boolean sumMatches(Map<String, AttributeValue> database, List<Map<String, AttributeValue>> links) {
        var sum = links.stream()
                .mapToLong(link -> RegistryItem.number(link, RegistryItem.REVISION))
                .sum();
        return sum == RegistryItem.number(database, RegistryItem.LINKS_SUM);
    }

    private static Found read(
            DatabaseId id, Map<String, AttributeValue> database, List<Map<String, AttributeValue>> links) {
        var shared = new SharedDatabase(
                RegistryItem.database(id, database),
                RegistryItem.number(database, RegistryItem.EDGE_VERSION),
                links.stream().map(RegistryItem::sharer).toList());
        return new Found(shared, database);
    }
}

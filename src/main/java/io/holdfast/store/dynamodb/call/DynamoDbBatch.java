package io.holdfast.store.dynamodb.call;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Strongly consistent reads of many items by their keys: one {@code BatchGetItem} per 100 keys. */
public record DynamoDbBatch(DynamoDbAsyncClient client, DynamoDbCalls calls, String table) {
    private static final int KEYS_MAX = 100;

    /** The most requests for one part. DynamoDB may leave keys for the next request, at high load for instance. */
    private static final int READS_MAX = 12;

    /** The items that exist, by key. They may be of different moments. */
    public Uni<Map<Map<String, AttributeValue>, Map<String, AttributeValue>>> find(
            String operation, Collection<Map<String, AttributeValue>> keys) {
        var distinct = keys.stream().distinct().toList();
        var parts = new ArrayList<List<Map<String, AttributeValue>>>();
        for (var start = 0; start < distinct.size(); start += KEYS_MAX) {
            parts.add(distinct.subList(start, Math.min(distinct.size(), start + KEYS_MAX)));
        }
        return Multi.createFrom()
                .iterable(parts)
                .onItem()
                .transformToUniAndConcatenate(part -> read(operation, part, List.of(), 1))
                .collect()
                .in(HashMap::new, DynamoDbBatch::add);
    }

    private static void add(
            Map<Map<String, AttributeValue>, Map<String, AttributeValue>> all, List<Map<String, AttributeValue>> read) {
        read.forEach(item -> all.put(Map.of(PK, item.get(PK), SK, item.get(SK)), item));
    }

    private Uni<List<Map<String, AttributeValue>>> read(
            String operation,
            Collection<Map<String, AttributeValue>> keys,
            List<Map<String, AttributeValue>> before,
            int number) {
        var request = BatchGetItemRequest.builder()
                .requestItems(Map.of(
                        table,
                        KeysAndAttributes.builder()
                                .keys(keys)
                                .consistentRead(true)
                                .build()))
                .build();
        return calls.call(operation, () -> client.batchGetItem(request))
                .map(Result::unconditional)
                .chain(response -> {
                    var items = new ArrayList<>(before);
                    items.addAll(response.responses().getOrDefault(table, List.of()));
                    var left = response.unprocessedKeys().get(table);
                    if (left == null || left.keys().isEmpty()) {
                        return Uni.createFrom().item(items);
                    }
                    return number < READS_MAX
                            ? calls.pause(number).chain(() -> read(operation, left.keys(), items, number + 1))
                            : Uni.createFrom()
                                    .failure(new StoreUnavailableException(
                                            "DynamoDB did not read all keys in " + number + " requests."));
                });
    }
}

package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.SK;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.registry.DatabaseId;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.DynamoDbReads.Section;
import io.holdfast.store.dynamodb.call.Partition;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Converts what earlier builds stored, before the power store uses it. Each step is one atomic write, so replicas may
 * convert the same item at once, and one that crashes leaves nothing half-done.
 */
final class EarlierPowerItems {
    private static final int TRIES_MAX = 12;
    private static final int PAGE = 100;

    private final DynamoDbReads reads;
    private final PowerWrites writes;
    /** Set when the earlier list of pending databases was found empty. Nothing writes to it any more. */
    private volatile boolean listIsEmpty;

    EarlierPowerItems(DynamoDbReads reads, PowerWrites writes) {
        this.reads = reads;
        this.writes = writes;
    }

    /**
     * Reads a database until its item has no attribute under an earlier name.
     *
     * @param item the database's own item in what was read; empty if there is no such database
     */
    <T> Uni<T> converted(DatabaseId id, Supplier<Uni<T>> read, Function<T, Map<String, AttributeValue>> item) {
        return converted(id, read, item, 1);
    }

    private <T> Uni<T> converted(
            DatabaseId id, Supplier<Uni<T>> read, Function<T, Map<String, AttributeValue>> item, int number) {
        return read.get().chain(found -> {
            if (!EarlierPowerItem.isIn(item.apply(found))) {
                return Uni.createFrom().item(found);
            }
            if (number > TRIES_MAX) {
                return Uni.createFrom()
                        .failure(new StoreUnavailableException(
                                "Database '" + id + "' kept changing while its stored names were converted."));
            }
            var request = EarlierPowerItem.rename(reads.table(), id, item.apply(found));
            return reads.calls()
                    .call("convert_names", () -> reads.client().updateItem(request))
                    .chain(result -> switch (result) {
                        // A write that was carried out made progress and does not count as a failed try.
                        case Result.Done<?> done -> converted(id, read, item, number);
                        case Result.Refused<?> refused ->
                            reads.calls().pause(number).chain(() -> converted(id, read, item, number + 1));
                    });
        });
    }

    /** Moves all entries of the earlier list of pending databases to the present one. */
    Uni<Void> movePending() {
        return listIsEmpty ? Uni.createFrom().voidItem() : movePending(Optional.empty());
    }

    private Uni<Void> movePending(Optional<Cursor> after) {
        return reads.page(
                        "pending",
                        new Section(Partition.EARLIER_PENDING.key(), PAGE, after),
                        entry -> new DatabaseId(entry.get(SK).s()))
                .chain(page -> {
                    listIsEmpty = after.isEmpty() && page.items().isEmpty();
                    return move(page.items())
                            .chain(() -> page.next().isPresent()
                                    ? movePending(page.next())
                                    : Uni.createFrom().voidItem());
                });
    }

    /** A cancelled transaction met another one on the same entry. The next pass of the reconciler moves it. */
    private Uni<Void> move(List<DatabaseId> ids) {
        return Multi.createFrom()
                .iterable(ids)
                .onItem()
                .transformToUniAndConcatenate(id -> {
                    var request = writes.movePending(id);
                    return reads.calls()
                            .transact("move_pending", () -> reads.client().transactWriteItems(request));
                })
                .collect()
                .asList()
                .replaceWithVoid();
    }
}

package io.holdfast.lock.history;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The table in memory answers what DynamoDB Local answers, for the requests that histories make. */
@Slow
class FakeTableTest {
    private static final int REQUESTS_MIN = 100;
    private static final int REQUESTS_MAX = 400;
    private static final int SEEDS_MAX = 50;

    /** Reads are many and much the same. */
    private static final int READ_EVERY = 10;

    private record Exchange(Object request, Object answer) {}

    @Test
    void theTableInMemoryAnswersLikeDynamoDbLocal() {
        for (var profile : List.of(
                LockHistoriesTest.everything(),
                LockHistoriesTest.movingHolds(),
                LockHistoriesTest.wildClocksAndPurges(),
                DynamoDbLockHistoriesTest.lostAnswersToForceReleases())) {
            compare(recorded(profile));
        }
    }

    /** Histories that break a promise end early: then the next seed is taken. */
    private static List<Exchange> recorded(Profile profile) {
        return LongStream.rangeClosed(1, SEEDS_MAX)
                .mapToObj(seed -> recorded(profile, seed))
                .filter(exchanges -> exchanges.size() >= REQUESTS_MIN)
                .findFirst()
                .orElseThrow();
    }

    private static List<Exchange> recorded(Profile profile, long seed) {
        var exchanges = new ArrayList<Exchange>();
        var histories = new Histories();
        try {
            new History(
                            profile,
                            seed,
                            network -> new DynamoDbBackend(network, (request, answer) -> {
                                if (!(request instanceof GetItemRequest) || exchanges.size() % READ_EVERY == 0) {
                                    exchanges.add(new Exchange(request, answer));
                                }
                            }))
                    .play();
        } finally {
            histories.close();
        }
        return exchanges.subList(0, Math.min(REQUESTS_MAX, exchanges.size()));
    }

    private static void compare(List<Exchange> exchanges) {
        var table = "fake-" + UUID.randomUUID();
        try (var client = DynamoDbLocal.shared().client()) {
            await(new DynamoDbStore(
                            client,
                            table,
                            DynamoDbSettings.DEFAULT,
                            Fixtures.RULES,
                            Clock.systemUTC(),
                            StoreTelemetry.NONE)
                    .table()
                    .create());
            for (var exchange : exchanges) {
                assertThat(answer(client, table, exchange.request()))
                        .as("%s", exchange.request())
                        .isEqualTo(essence(exchange.answer()));
            }
        }
    }

    private static Object answer(DynamoDbAsyncClient client, String table, Object request) {
        try {
            var answer =
                    switch (request) {
                        case UpdateItemRequest update ->
                            client.updateItem(
                                    update.toBuilder().tableName(table).build());
                        case DeleteItemRequest delete ->
                            client.deleteItem(
                                    delete.toBuilder().tableName(table).build());
                        case GetItemRequest get ->
                            client.getItem(get.toBuilder().tableName(table).build());
                        case ScanRequest scan ->
                            client.scan(scan.toBuilder().tableName(table).build());
                        default -> throw new IllegalArgumentException(request.toString());
                    };
            return essence(answer.join());
        } catch (CompletionException e) {
            return essence(e.getCause());
        }
    }

    private static Object essence(Object answer) {
        return switch (answer) {
            case UpdateItemResponse updated -> updated.attributes();
            case GetItemResponse got -> got.item();
            case ScanResponse scanned -> new HashSet<>(scanned.items());
            case ConditionalCheckFailedException refused -> List.of("refused", refused.item());
            case Throwable failure -> failure;
            case null, default -> "deleted";
        };
    }
}

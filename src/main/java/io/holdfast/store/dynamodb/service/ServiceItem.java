package io.holdfast.store.dynamodb.service;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.maybeText;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.store.codec.ServiceJson;
import io.holdfast.store.dynamodb.call.Partition;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jboss.logging.Logger;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Services, rows of their history, and the feed as items. Status and spec of a service are two attributes, because they
 * are written separately.
 */
final class ServiceItem {
    private static final Logger LOG = Logger.getLogger(ServiceItem.class);

    static final String BODY = "body";
    static final String SPEC = "spec";
    static final String VERSION = "version";

    /** Of a row of the history: the commit that wrote it. */
    static final String COMMIT_ID = "commit_id";

    /** Of the end of a part of the feed: the last number. */
    static final String NUMBER = "number";

    static final String REASON = "reason";
    static final String TTL = "ttl";

    static final Map<String, AttributeValue> PAUSE_KEY = key(Partition.SERVICE_PAUSE.key(), "PAUSE");

    private static final String SK_END = "END";
    private static final String MOVE_PREFIX = "MOVE#";

    private ServiceItem() {}

    static AttributeValue services(int shard) {
        return Partition.SERVICES.of(shard);
    }

    static AttributeValue history(ServiceId id) {
        return Partition.SERVICE.of(id);
    }

    static AttributeValue feed(int shard) {
        return Partition.SERVICE_FEED.of(shard);
    }

    static Map<String, AttributeValue> key(ServiceId id) {
        return key(services(LifecycleStore.shardOf(id)), id.value());
    }

    static Map<String, AttributeValue> rowKey(Move move) {
        return key(history(move.service()), moveSort(move.version()));
    }

    static Map<String, AttributeValue> endKey(int shard) {
        return key(feed(shard), SK_END);
    }

    static Map<String, AttributeValue> entryKey(int shard, long sequence) {
        return key(feed(shard), moveSort(sequence));
    }

    private static Map<String, AttributeValue> key(AttributeValue partition, String sort) {
        return Map.of(PK, partition, SK, text(sort));
    }

    /** @param number a version or a sequence */
    static String moveSort(long number) {
        return MOVE_PREFIX + "%020d".formatted(number);
    }

    static Map<String, AttributeValue> of(Service service) {
        var item = new HashMap<>(key(service.id()));
        item.put(BODY, text(ServiceJson.writeState(service)));
        item.put(SPEC, text(ServiceJson.write(service.spec())));
        item.put(VERSION, number(service.version()));
        return item;
    }

    /** A row of the history, or an entry of the feed. */
    static HashMap<String, AttributeValue> of(Map<String, AttributeValue> key, Move move, Instant until) {
        var item = new HashMap<>(key);
        item.put(BODY, text(ServiceJson.write(move)));
        // The next whole second.
        item.put(TTL, number(until.getEpochSecond() + 1));
        return item;
    }

    static Service service(Map<String, AttributeValue> item) {
        return ServiceJson.readService(item.get(BODY).s(), item.get(SPEC).s());
    }

    static Move move(Map<String, AttributeValue> item) {
        return ServiceJson.readMove(item.get(BODY).s());
    }

    static FeedEntry entry(int shard, Map<String, AttributeValue> item) {
        return new FeedEntry(shard, sequence(item), move(item));
    }

    static long sequence(Map<String, AttributeValue> entry) {
        return Long.parseLong(entry.get(SK).s().substring(MOVE_PREFIX.length()));
    }

    /** @param item empty if there is none */
    static long endNumber(Map<String, AttributeValue> item) {
        return item.containsKey(NUMBER) ? number(item, NUMBER) : 0;
    }

    static Optional<String> commitId(Map<String, AttributeValue> row) {
        return maybeText(row, COMMIT_ID);
    }

    /** For lists: an item that a newer version has written, and this one cannot read, is left out. */
    static <T> Function<Map<String, AttributeValue>, Optional<T>> ifReadable(
            Function<Map<String, AttributeValue>, T> read) {
        return item -> {
            try {
                return Optional.of(read.apply(item));
            } catch (IllegalStateException unreadable) {
                LOG.warnf(
                        "Item left out of a list pk=%s sk=%s error=\"%s\"",
                        item.get(PK).s(), item.get(SK).s(), unreadable.getMessage());
                return Optional.empty();
            }
        };
    }
}

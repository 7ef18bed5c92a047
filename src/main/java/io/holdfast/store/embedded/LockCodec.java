package io.holdfast.store.embedded;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.kernel.Subject;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A lock as JSON, with the same names as in DynamoDB. Needs no reflection. The queue is not written, because waiters
 * are connected to this process and are lost when it ends.
 */
final class LockCodec implements EmbeddedTable.Codec<LockRecord> {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public String encode(LockRecord record) {
        var text = new StringWriter(256);
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            writeLease(json, record.lease());
            json.writeNumberField("highest_token", record.token().value());
            json.writeStringField("attempt", record.attempts().current().value());
            json.writeStringField("granted_to", record.attempts().grantedTo().value());
            if (record.end().isPresent()) {
                writeEnd(json, record.end().get());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    @Override
    public LockRecord decode(String key, String text) {
        try (var json = JSON.createParser(text)) {
            var fields = new Fields(json);
            var lease = readLease(key, fields);
            var token = new FencingToken(fields.number("highest_token"));
            var attempts = new LockRecord.Attempts(attempt(fields, "granted_to"), attempt(fields, "attempt"));
            return new LockRecord(lease, token, readEnd(fields), WaitQueue.EMPTY, attempts);
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("The record of lock '" + key + "' is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * Takes the queue of the published record, without the request that holds the stored lease. A request that joined
     * in the failed commit got an error and is not in it.
     */
    @Override
    public LockRecord readBack(LockRecord stored, Optional<LockRecord> published) {
        var before = published.map(LockRecord::queue).orElse(WaitQueue.EMPTY);
        var tickets = before.tickets().stream()
                .filter(ticket -> !isFor(ticket, stored.lease()))
                .toList();
        return stored.with(new WaitQueue(tickets, before.presence()));
    }

    private static boolean isFor(Ticket ticket, Lease lease) {
        return ticket.is(lease.ref());
    }

    private static AttemptId attempt(Fields fields, String field) {
        return fields.maybe(field).map(AttemptId::new).orElse(AttemptId.NONE);
    }

    private static void writeLease(JsonGenerator json, Lease lease) throws IOException {
        json.writeStringField("lock_id", lease.id().value());
        json.writeStringField("owner_id", lease.owner().value());
        if (lease.owner().subject().isPresent()) {
            json.writeStringField("subject", lease.owner().subject().get().value());
        }
        json.writeNumberField("fencing_token", lease.token().value());
        json.writeNumberField("created_at", lease.term().acquiredAt().toEpochMilli());
        json.writeNumberField("expires_at", lease.term().expiresAt().toEpochMilli());
        json.writeNumberField("ttl_ms", lease.term().ttl().toMillis());
        json.writeNumberField("renewals", lease.term().renewals());
        if (lease.term().renewUntil().isPresent()) {
            json.writeNumberField("renew_until", lease.term().renewUntil().get().toEpochMilli());
        }
        json.writeStringField("lock_type", lease.labels().type().text());
        if (lease.labels().userEmail().isPresent()) {
            json.writeStringField("user_email", lease.labels().userEmail().get());
        }
        if (!lease.labels().metadata().isEmpty()) {
            json.writeObjectFieldStart("metadata");
            for (var entry : lease.labels().metadata().entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
        }
    }

    private static void writeEnd(JsonGenerator json, LockRecord.End end) throws IOException {
        json.writeNumberField("released_at", end.at().toEpochMilli());
        if (end.closedUntil().isPresent()) {
            json.writeNumberField("closed_until", end.closedUntil().get().toEpochMilli());
        }
        if (end.forcedBecause().isPresent()) {
            json.writeStringField("release_reason", end.forcedBecause().get());
        }
    }

    private static Lease readLease(String key, Fields fields) {
        var term = new Lease.Term(
                fields.time("created_at"),
                fields.time("expires_at"),
                Duration.ofMillis(fields.number("ttl_ms")),
                fields.number("renewals"),
                fields.maybe("renew_until").map(until -> fields.time("renew_until")));
        var labels = new Labels(LockType.stored(fields.text("lock_type")), fields.maybe("user_email"), fields.metadata);
        return new Lease(
                new LockName(key),
                new LockId(fields.text("lock_id")),
                new Owner(fields.text("owner_id"), fields.maybe("subject").map(Subject::new)),
                new FencingToken(fields.number("fencing_token")),
                term,
                labels);
    }

    private static Optional<LockRecord.End> readEnd(Fields fields) {
        return fields.maybe("released_at")
                .map(at -> new LockRecord.End(
                        fields.time("released_at"),
                        fields.maybe("closed_until").map(until -> fields.time("closed_until")),
                        fields.maybe("release_reason")));
    }

    /** The fields of the object and of its metadata. Unknown nested values are skipped. */
    private static final class Fields {
        private final Map<String, String> values = new HashMap<>();
        private final Map<String, String> metadata = new HashMap<>();

        Fields(JsonParser json) throws IOException {
            json.nextToken();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                var field = json.currentName();
                var token = json.nextToken();
                if (token.isStructStart() && !field.equals("metadata")) {
                    json.skipChildren();
                } else if (token == JsonToken.START_OBJECT) {
                    while (json.nextToken() != JsonToken.END_OBJECT) {
                        metadata.put(json.currentName(), json.nextTextValue());
                    }
                } else {
                    values.put(field, json.getText());
                }
            }
        }

        Optional<String> maybe(String field) {
            return Optional.ofNullable(values.get(field));
        }

        String text(String field) {
            return maybe(field).orElseThrow(() -> new IllegalStateException("A record lacks its " + field + "."));
        }

        long number(String field) {
            return Long.parseLong(text(field));
        }

        Instant time(String field) {
            return Instant.ofEpochMilli(number(field));
        }
    }
}

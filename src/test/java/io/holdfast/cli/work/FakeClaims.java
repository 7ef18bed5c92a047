package io.holdfast.cli.work;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.wire.job.ClaimBody;
import java.time.Duration;

/** Answers of the service to a claim. */
final class FakeClaims {
    static final String JOB = "1794844288995-4f1c9d0e";
    static final long EPOCH = 1794844288995001L;

    private static final Duration DEADLINE = Duration.ofHours(3);

    private FakeClaims() {}

    static String json(String job, Duration lease, Duration heartbeatEvery) {
        return """
                {"job":{"id":"%s","cluster":"web","type":"CREATE","status":"RUNNING","params":{"workers":3},\
                "deadline_ms":%d,"created_at":"2026-11-18T08:00:00.000Z","attempt":2,"attempts_max":3,\
                "cancel_requested":false,"runs":[]},\
                "cluster":{"id":"web","name":"web","platform":"aws","base_domain":"a.example","status":"CREATING",\
                "labels":{}},"epoch":%d,\
                "lease":{"expires_at":"2026-11-18T09:00:00.000Z","remaining_ms":%d,"ttl_ms":%d,\
                "heartbeat_every_ms":%d}}"""
                .formatted(
                        job, DEADLINE.toMillis(), EPOCH, lease.toMillis(), lease.toMillis(), heartbeatEvery.toMillis());
    }

    static ClaimedJob claimed(long sentNanos, long receivedNanos, long leaseNanos) {
        try {
            var json = new ObjectMapper()
                    .readTree(json(JOB, Duration.ofMillis(NANOSECONDS.toMillis(leaseNanos)), Duration.ofMinutes(5)));
            var claim = new ObjectMapper().treeToValue(json, ClaimBody.class);
            return new ClaimedJob(json, claim, "w", sentNanos, receivedNanos);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}

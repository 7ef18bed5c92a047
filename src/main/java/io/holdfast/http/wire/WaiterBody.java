package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.WaitQueue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** One of those who wait for a lock. */
@RegisterForReflection
public record WaiterBody(
        int position,
        String owner,
        @JsonProperty("waiting_since") String waitingSince,
        @JsonProperty("waited_ms") long waitedMs,
        @JsonProperty("gives_up_at") String givesUpAt) {

    static List<WaiterBody> of(WaitQueue queue, Instant now) {
        var tickets = queue.aliveAt(now).tickets();
        return IntStream.range(0, tickets.size())
                .mapToObj(i -> new WaiterBody(
                        i + 1,
                        tickets.get(i).owner().value(),
                        Times.text(tickets.get(i).since()),
                        Math.max(
                                0, Duration.between(tickets.get(i).since(), now).toMillis()),
                        Times.text(tickets.get(i).deadline())))
                .toList();
    }
}

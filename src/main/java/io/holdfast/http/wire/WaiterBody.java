package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.WaitQueue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** One of those who wait for a lock. */
@RegisterForReflection
@Schema(name = "Waiter")
public record WaiterBody(
        @Schema(description = "1 is next", examples = "1") int position,
        @Schema(examples = "execution-def456") String owner,
        @JsonProperty("waiting_since") @Schema(examples = "2026-01-05T14:03:00.000Z") String waitingSince,
        @JsonProperty("waited_ms") @Schema(examples = "45000") long waitedMs,
        @JsonProperty("gives_up_at") @Schema(examples = "2026-01-05T14:08:00.000Z") String givesUpAt) {

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

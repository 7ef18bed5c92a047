package io.holdfast.http.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.access.model.NameScope;
import io.holdfast.lifecycle.feed.Batch;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.FeedPosition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Events as they are written: their ids, what is left out, and what a reader has missed. */
class EventTextTest {
    private static final FeedPosition ONE = FeedPosition.START.with(0, 1);
    private static final FeedPosition TWO = ONE.with(1, 1);

    private final EventText text = new EventText(new ObjectMapper(), "shop-");

    @Test
    void aGapIsToldBeforeTheMovesAfterItAndHasNoId() {
        var events = of(new Batch(List.of(moved("shop-a", ONE)), true, ONE));

        assertThat(events).startsWith("event: missed\ndata: {").contains("\n\nid: 1-0-0-0\nevent: changed\ndata: {");
    }

    @Test
    void aMoveThatIsLeftOutMovesTheReaderOn() {
        assertThat(of(new Batch(List.of(moved("other", ONE)), false, ONE))).isEqualTo(": keep-alive\nid: 1-0-0-0\n\n");
        assertThat(of(new Batch(List.of(moved("shop-a", ONE), moved("other", TWO)), false, TWO)))
                .startsWith("id: 1-0-0-0\nevent: changed\n")
                .endsWith("\n\n: keep-alive\nid: 1-1-0-0\n\n");
        assertThat(of(new Batch(List.of(moved("other", ONE), moved("shop-a", TWO)), false, TWO)))
                .startsWith("id: 1-1-0-0\nevent: changed\n")
                .doesNotContain("keep-alive");
    }

    @Test
    void anEmptyBatchKeepsTheConnectionAlive() {
        assertThat(of(new Batch(List.of(), false, TWO))).isEqualTo(": keep-alive\nid: 1-1-0-0\n\n");
    }

    @Test
    void aMoveOfAServiceThatTheCallerMayNotReadIsLeftOut() {
        var batch = new Batch(List.of(moved("shop-a", ONE), moved("shop-b", TWO)), false, TWO);

        assertThat(text.of(batch, new NameScope(List.of("shop-b"))))
                .startsWith("id: 1-1-0-0\nevent: changed\n")
                .doesNotContain("shop-a");
        assertThat(text.of(batch, new NameScope(List.of()))).isEqualTo(": keep-alive\nid: 1-1-0-0\n\n");
    }

    private String of(Batch batch) {
        return text.of(batch, new NameScope(List.of("")));
    }

    private static Batch.Positioned moved(String id, FeedPosition position) {
        var cause = new Move.Cause(Writer.API, Optional.empty(), Optional.empty(), false, Optional.empty());
        return new Batch.Positioned(
                new Move(new ServiceId(id), 1, Instant.EPOCH, Optional.empty(), Optional.of(ServiceStatus.IDLE), cause),
                position);
    }
}

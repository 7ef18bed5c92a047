package io.holdfast.http.service;

import static io.holdfast.http.lock.LockCalls.unique;
import static io.holdfast.http.service.ServiceCalls.all;
import static io.holdfast.http.service.ServiceCalls.deploy;
import static io.holdfast.http.service.ServiceCalls.ids;
import static io.holdfast.http.service.ServiceCalls.path;
import static io.holdfast.http.service.ServiceCalls.put;
import static io.holdfast.http.service.ServiceCalls.service;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists of services and of moves. */
interface ServiceListFacts {
    @Test
    default void servicesAreListedByIdInPagesOfAnySize() {
        var prefix = unique("list");
        var wanted = IntStream.range(0, 7).mapToObj(i -> prefix + "-" + i).toList();
        wanted.reversed().forEach(id -> put(id, Map.of()).expect(201));
        deploy(wanted.get(3)).expect(200);

        for (var limit : List.of(1, 3, 500)) {
            assertThat(ids(Map.of("prefix", prefix, "limit", limit))).isEqualTo(wanted);
        }

        assertThat(ids(Map.of("prefix", prefix, "status", "DEPLOYING"))).containsExactly(wanted.get(3));
        assertThat(ids(Map.of("prefix", prefix, "status", "IDLE", "limit", 2)))
                .hasSize(6)
                .doesNotContain(wanted.get(3));
        assertThat(ids(Map.of("prefix", prefix + "-none"))).isEmpty();
        assertThat(ids(Map.of())).containsAll(wanted);
    }

    @Test
    default void theHistoryIsListedTheNewestFirstInPagesOfAnySize() {
        var id = service(List.of("DEPLOYING", "RUNNING", "CRASHING", "STOPPED"));

        for (var limit : List.of(1, 2, 500)) {
            var moves = all(path(id) + "/history", "moves", Map.of("limit", limit));
            assertThat(moves)
                    .extracting(move -> move.get("to"))
                    .containsExactly("STOPPED", "CRASHING", "RUNNING", "DEPLOYING", "IDLE");
            assertThat(moves)
                    .extracting(move -> ((Number) move.get("version")).longValue())
                    .isSortedAccordingTo((a, b) -> Long.compare(b, a))
                    .doesNotHaveDuplicates();
        }
    }
}

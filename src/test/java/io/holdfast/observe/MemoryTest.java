package io.holdfast.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.ServiceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is remembered of services is bounded. */
class MemoryTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final ObserveSpec SPEC = new ObserveSpec.None();

    @Test
    void theServiceThatWasUsedLeastRecentlyIsForgotten() {
        var memories = new Memories<>(2, Object::new);
        var a = memories.of(new ServiceId("a"), SPEC);
        var b = memories.of(new ServiceId("b"), SPEC);
        assertThat(memories.of(new ServiceId("a"), SPEC)).isSameAs(a);

        memories.of(new ServiceId("c"), SPEC);

        assertThat(memories.size()).isEqualTo(2);
        assertThat(memories.of(new ServiceId("a"), SPEC)).isSameAs(a);
        assertThat(memories.of(new ServiceId("b"), SPEC)).isNotSameAs(b);
    }

    @Test
    void noMoreServicesThanTheMaximumAreRemembered() {
        var memories = new Memories<>(100, Object::new);
        for (var i = 0; i < 1000; i++) {
            memories.of(new ServiceId("service-" + i), SPEC);
            assertThat(memories.size()).isEqualTo(Math.min(i + 1, 100));
        }
    }

    @Test
    void theChangesOfOneServiceAreBounded() {
        var changes = new Changes(WINDOW);
        for (var i = 0; i <= Changes.REMEMBERED_MAX; i++) {
            assertThat(changes.look(i % 2 == 0, NOW.plusMillis(i))).isEqualTo(i);
        }
        for (var i = 1; i < 1000; i++) {
            assertThat(changes.look(i % 2 == 0, NOW.plusSeconds(i / 10))).isEqualTo(Changes.REMEMBERED_MAX);
        }
    }

    @Test
    void theRestartsOfOneContainerAreBounded() {
        var restarts = new Restarts(WINDOW);
        for (var i = 0; i < 1000; i++) {
            var pod = pod(i);
            assertThat(restarts.look(List.of(pod), NOW.plusMillis(i))
                            .of(pod, pod.containers().getFirst())
                            .restarts())
                    .isEqualTo(Math.min(i, Changes.REMEMBERED_MAX));
        }
    }

    @Test
    void aPodThatIsNotListedIsForgotten() {
        var restarts = new Restarts(WINDOW);
        restarts.look(List.of(pod(0)), NOW);
        restarts.look(List.of(), NOW);

        assertThat(restarts.look(List.of(pod(5)), NOW)
                        .of(pod(5), pod(5).containers().getFirst())
                        .restarts())
                .isZero();
    }

    @Test
    void aCounterThatStartsAgainIsNotARestart() {
        var restarts = new Restarts(WINDOW);
        restarts.look(List.of(pod(7)), NOW);

        assertThat(restarts.look(List.of(pod(2)), NOW)
                        .of(pod(2), pod(2).containers().getFirst())
                        .restarts())
                .isZero();
    }

    private static Pod pod(int restarts) {
        return new Pod(
                "a",
                "uid-of-a",
                NOW.minus(Duration.ofDays(1)),
                new Pod.Condition("Running", Optional.empty(), Optional.empty(), true),
                List.of(new Pod.Container("web", restarts, Optional.empty())));
    }
}

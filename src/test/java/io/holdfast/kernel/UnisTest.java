package io.holdfast.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnisTest {
    @Test
    void aPresentValueIsPassedToTheStep() {
        var found = Uni.createFrom().item(Optional.of(20));
        var doubled = Unis.chainIfPresent(found, value -> Uni.createFrom().item(Optional.of(2 * value)));
        assertThat(doubled.await().indefinitely()).contains(40);
    }

    @Test
    void anEmptyValueSkipsTheStep() {
        var found = Uni.createFrom().item(Optional.<Integer>empty());
        var result = Unis.<Integer, String>chainIfPresent(found, value -> {
            throw new AssertionError("called with " + value);
        });
        assertThat(result.await().indefinitely()).isEmpty();
    }
}

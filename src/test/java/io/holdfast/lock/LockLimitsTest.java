package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.queue.WaitSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every limit at its most and one beyond. */
class LockLimitsTest {
    private static final LockLimits LIMITS = new LockLimits(new LockSettings(), WaitSettings.DEFAULT);

    @ParameterizedTest
    @MethodSource
    void theMostIsTakenAndOneMoreIsRefusedByName(Supplier<?> most, Supplier<?> tooMuch, String field) {
        assertThatCode(most::get).doesNotThrowAnyException();
        assertThatThrownBy(tooMuch::get).isInstanceOfSatisfying(InvalidInputException.class, e -> assertThat(e.field())
                .isEqualTo(field));
    }

    static Stream<Arguments> theMostIsTakenAndOneMoreIsRefusedByName() {
        return Stream.of(
                row("name", () -> new LockName("n".repeat(255)), () -> new LockName("n".repeat(256))),
                row("name", () -> new LockName("n"), () -> new LockName("")),
                row("owner", () -> new Owner("o".repeat(255)), () -> new Owner("o".repeat(256))),
                row("owner", () -> new Owner("o o"), () -> new Owner("o ")),
                row("ttl", () -> ttl(Duration.ofSeconds(1)), () -> ttl(Duration.ofMillis(999))),
                row(
                        "ttl",
                        () -> ttl(Duration.ofHours(24)),
                        () -> ttl(Duration.ofHours(24).plusMillis(1))),
                row("lock_delay", () -> delay(Duration.ofMinutes(10)), () -> delay(Duration.ofMillis(600_001))),
                row("lock_delay", () -> delay(Duration.ZERO), () -> delay(Duration.ofMillis(-1))),
                row("limit", () -> LIMITS.listBounds(Optional.of(1000)), () -> LIMITS.listBounds(Optional.of(1001))),
                row("limit", () -> LIMITS.listBounds(Optional.of(1)), () -> LIMITS.listBounds(Optional.of(0))),
                row("metadata", () -> entries(16), () -> entries(17)),
                row("metadata", () -> entry("k".repeat(64), "v"), () -> entry("k".repeat(65), "v")),
                row("metadata.k", () -> entry("k", "v".repeat(256)), () -> entry("k", "v".repeat(257))),
                row("user_email", () -> email(254), () -> email(255)),
                row("reason", () -> reason(256), () -> reason(257)),
                row("reason", () -> reason(1), () -> reason(0)),
                row("fencing_token", () -> new FencingToken(1), () -> new FencingToken(0)));
    }

    @ParameterizedTest
    @MethodSource
    void settingsThatContradictEachOtherFailAtStartAndAreBothNamed(String key, Object value, String other) {
        assertThatThrownBy(() -> new LockLimits(new LockSettings().with(key, value), WaitSettings.DEFAULT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("holdfast.lock." + key)
                .hasMessageContaining("holdfast.lock." + other);
    }

    static Stream<Arguments> settingsThatContradictEachOtherFailAtStartAndAreBothNamed() {
        return Stream.of(
                Arguments.of("ttl-default", Duration.ofMillis(999), "ttl-min"),
                Arguments.of("ttl-max", Duration.ofMinutes(29), "ttl-default"),
                Arguments.of("tombstone-retention", Duration.ofSeconds(60), "max-clock-skew"),
                Arguments.of("list-limit-max", 99, "list-limit-default"),
                Arguments.of("list-examined-max", 999, "list-limit-max"));
    }

    @Test
    void settingsAtTheEdgeOfTheirRelationsAreFine() {
        var edge = new LockSettings()
                .with("ttl-default", Duration.ofSeconds(1))
                .with("ttl-max", Duration.ofSeconds(1))
                .with("tombstone-retention", Duration.ofSeconds(61))
                .with("list-limit-max", 100)
                .with("list-examined-max", 100);

        assertThatCode(() -> new LockLimits(edge, WaitSettings.DEFAULT.max(Duration.ofSeconds(1))))
                .doesNotThrowAnyException();
    }

    private static Arguments row(String field, Supplier<?> most, Supplier<?> tooMuch) {
        return Arguments.of(Named.of(field, most), Named.of("one more", tooMuch), field);
    }

    private static Duration ttl(Duration asked) {
        return LIMITS.ttl(Optional.of(asked));
    }

    private static Duration delay(Duration asked) {
        return LIMITS.lockDelay(Optional.of(asked));
    }

    private static Labels entries(int count) {
        return metadata(IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v")));
    }

    private static Labels entry(String key, String value) {
        return metadata(Map.of(key, value));
    }

    private static Labels metadata(Map<String, String> metadata) {
        return new Labels(LockType.GENERIC, Optional.empty(), metadata);
    }

    private static Labels email(int length) {
        return new Labels(LockType.GENERIC, Optional.of("a".repeat(length - 2) + "@b"), Map.of());
    }

    private static ForceRelease reason(int length) {
        return new ForceRelease(new LockName("n"), new FencingToken(1), "r".repeat(length), Duration.ZERO);
    }
}

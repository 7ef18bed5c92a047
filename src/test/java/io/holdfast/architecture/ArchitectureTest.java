package io.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between packages hold, and each rule is seen to fail on a small tree that breaks it. */
class ArchitectureTest {
    private static final String BROKEN_ROOT = "broken";

    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(BROKEN_ROOT);

    static Stream<String> rules() {
        return Arrows.below(Code.ROOT).keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theCodeKeepsTheRule(String rule) {
        var result = Arrows.below(Code.ROOT).get(rule).evaluate(Code.MAIN);

        assertThat(result.getFailureReport().getDetails()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theRuleIsSeenToFail(String rule) {
        var result = Arrows.below(BROKEN_ROOT).get(rule).evaluate(BROKEN);

        assertThat(result.hasViolation()).isTrue();
    }
}

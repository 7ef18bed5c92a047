package io.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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

    static Stream<String> packages() {
        return Layout.ARROWS.keySet().stream();
    }

    @Test
    void everyPackageStandsInTheLayout() {
        var all = Code.MAIN.stream()
                .map(JavaClass::getPackageName)
                .map(name -> name.substring(Code.ROOT.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(Layout.ARROWS.keySet()).containsAll(all);
    }

    /** An order in which every package uses only packages before it has no cycle, at any level. */
    @Test
    void everyArrowPointsToAPackageThatStandsBeforeIt() {
        var before = new HashSet<String>();

        Layout.ARROWS.forEach((name, used) -> {
            assertThat(before).as(name).containsAll(used);
            before.add(name);
        });
    }

    /** So each row is kept, and each of its arrows is needed: without it, the row would be broken. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("packages")
    void thePackageUsesExactlyWhatItsRowAllows(String name) {
        assertThat(usedBy(name)).isEqualTo(Layout.ARROWS.get(name));
    }

    private static Set<String> usedBy(String name) {
        var itself = Code.ROOT + "." + name;
        return Code.MAIN.stream()
                .filter(type -> type.getPackageName().equals(itself))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getPackageName())
                .filter(used -> used.startsWith(Code.ROOT + ".") && !used.equals(itself))
                .map(used -> used.substring(Code.ROOT.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

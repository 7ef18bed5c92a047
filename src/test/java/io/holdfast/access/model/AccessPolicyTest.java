package io.holdfast.access.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.access.model.AccessDecision.Denied;
import io.holdfast.access.model.Grant.Allowance;
import io.holdfast.access.model.Grant.Allowance.OnNames;
import io.holdfast.kernel.Subject;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AccessPolicyTest {
    private static final Subject SUBJECT = new Subject("ci:job");

    private static AccessPolicy policy(String subject, Allowance... allowances) {
        return new AccessPolicy(
                List.of(new Grant("grants[0]", List.of(new SubjectPattern(subject)), List.of(allowances))));
    }

    /** Every action that is granted, on every kind, against every action that is wanted, on every kind. */
    static Stream<Arguments> rows() {
        return actions().flatMap(granted -> actions().map(wanted -> Arguments.of(granted, wanted)));
    }

    record OnKind(ResourceKind kind, Action action) {}

    private static Stream<OnKind> actions() {
        return Stream.of(ResourceKind.values())
                .flatMap(kind -> kind.actions().stream().map(action -> new OnKind(kind, action)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aGrantAllowsItsActionOnItsKindAndNothingElse(OnKind granted, OnKind wanted) {
        var policy = policy("ci:job", new OnNames(granted.kind(), "a", Set.of(granted.action())));
        var permission = new Permission.OnResource(wanted.action(), wanted.kind(), "ab");

        assertThat(policy.decide(SUBJECT, permission).isAllowed()).isEqualTo(granted.equals(wanted));
        assertThat(policy.decide(SUBJECT, new Permission.Admin()).isAllowed()).isFalse();
        assertThat(policy("ci:job", new Allowance.Everything())
                        .decide(SUBJECT, permission)
                        .isAllowed())
                .isTrue();
        assertThat(policy.decide(new Subject("ci:other"), permission).isAllowed())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'',billing/a,true",
        "billing/,billing/a,true",
        "billing/,billing/,true",
        "billing/,billing,false",
        "billing/,Billing/a,false",
        "billing/,billing%2Fa,false",
        "billing/,./billing/a,false",
        "billing/,//billing/a,false",
        "billing/,payments/../billing/a,false",
        "billing/,billing/../payments/a,true",
        "billing,billing-old,true",
        "a,,false"
    })
    void aPrefixIsComparedCharacterByCharacter(String prefix, String name, boolean allowed) {
        var policy = policy("ci:job", new OnNames(ResourceKind.LOCKS, prefix, Set.of(Action.READ)));
        var wanted = new Permission.OnResource(Action.READ, ResourceKind.LOCKS, name == null ? "" : name);

        assertThat(policy.decide(SUBJECT, wanted).isAllowed()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "ci:job,true",
        "ci:*,true",
        "*,true",
        "ci:job*,true",
        "ci:jo,false",
        "ci:job2,false",
        "CI:job,false",
        "ci:job:*,false",
        "c*,true",
        "token:*,false"
    })
    void aSubjectIsExactOrAPrefixWithAStar(String pattern, boolean matches) {
        assertThat(new SubjectPattern(pattern).matches(SUBJECT)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "DB#i-1,true",
        "CLUSTER#c,true",
        "SERVICE#s,true",
        "system/sweep,true",
        "db#i-1,false",
        "DB,false",
        "systems/a,false",
        "x/DB#i-1,false",
        "System/a,false"
    })
    void aReservedLockIsReadByGrantsAndChangedByAdminOnly(String name, boolean reserved) {
        var all = policy("ci:job", new OnNames(ResourceKind.LOCKS, "", EnumSet.allOf(Action.class)));
        var admin = policy("ci:job", new Allowance.Everything());

        for (var action : ResourceKind.LOCKS.actions()) {
            var wanted = new Permission.OnResource(action, ResourceKind.LOCKS, name);
            assertThat(all.decide(SUBJECT, wanted).isAllowed()).isEqualTo(!reserved || action == Action.READ);
            assertThat(admin.decide(SUBJECT, wanted).isAllowed()).isTrue();
        }
    }

    @Test
    void grantsAddUp() {
        var patterns = List.of(new SubjectPattern("ci:*"));
        var policy = new AccessPolicy(List.of(
                new Grant("grants[0]", patterns, List.of(new OnNames(ResourceKind.LOCKS, "a", Set.of(Action.READ)))),
                new Grant("grants[1]", patterns, List.of(new OnNames(ResourceKind.LOCKS, "a", Set.of(Action.FORCE))))));

        assertThat(policy.decide(SUBJECT, Permission.parse("force", "locks:ab")))
                .isEqualTo(new AccessDecision.Allowed("grants[1].allow[0]"));
        assertThat(policy.grantsOf(SUBJECT)).hasSize(2);
    }

    @Test
    void aRefusalNamesSubjectActionResourceAndTheMissingGrant() {
        var denied = (Denied) policy("ci:other").decide(SUBJECT, Permission.parse("acquire", "locks/billing/db"));

        assertThat(denied.sentence())
                .isEqualTo("Subject 'ci:job' may not acquire locks:billing/db:"
                        + " it needs a grant of acquire on locks with a prefix of this name.");
    }

    @Test
    void aScopeHasTheNamesThatTheGrantsAllow() {
        var scope = policy(
                        "ci:job",
                        new OnNames(ResourceKind.LOCKS, "b/", Set.of(Action.READ)),
                        new OnNames(ResourceKind.LOCKS, "b/c", Set.of(Action.READ)),
                        new OnNames(ResourceKind.LOCKS, "a", Set.of(Action.READ)),
                        new OnNames(ResourceKind.APPS, "", Set.of(Action.READ)))
                .scope(SUBJECT, ResourceKind.LOCKS, Action.READ);

        assertThat(scope.prefixes()).containsExactly("a", "b/");
        assertThat(scope.contains("b/x")).isTrue();
        assertThat(scope.contains("c")).isFalse();
        assertThat(scope.below("b/x").prefixes()).containsExactly("b/x");
        assertThat(scope.below("").prefixes()).containsExactly("a", "b/");
        assertThat(scope.below("c").isEmpty()).isTrue();
    }
}

package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The roles allow what the pages on shared databases and on actuators ask for. The tests of the probe and of the
 * actuators check that this is what they do.
 */
class RightsTest {
    private static final Rendered BASE = Rendered.named("base");
    private static final Rendered BINDINGS = Rendered.named("watched-namespace");

    @ParameterizedTest
    @CsvSource({"holdfast-probe, holdfast-probe", "holdfast-actuator, holdfast-databases"})
    void aRoleAllowsWhatThePageSaysAndNoMore(String role, String onThePage) {
        assertThat(Right.ofRole(role)).isEqualTo(documented(onThePage));
    }

    @Test
    void theRightsAreGivenInTheWatchedNamespaceAndNowhereElse() {
        assertThat(BINDINGS.objects()).hasOnlyElementsOfType(RoleBinding.class).hasSize(2);
        assertThat(BINDINGS.all(RoleBinding.class)).allSatisfy(binding -> {
            assertThat(binding.getMetadata().getNamespace()).isNull();
            assertThat(binding.getRoleRef().getKind()).isEqualTo("ClusterRole");
            assertThat(BASE.names(ClusterRole.class))
                    .contains(binding.getRoleRef().getName());
        });
        assertThat(Rendered.all().filter(rendered -> !rendered.folder().equals(BINDINGS.folder())))
                .allSatisfy(rendered -> assertThat(rendered.objects())
                        .extracting(object -> object.getKind())
                        .doesNotContain("RoleBinding", "ClusterRoleBinding"));
    }

    @Test
    void theRightsAreGivenToTheServersAccount() {
        var account = BASE.one(ServiceAccount.class, "holdfast").getMetadata();

        assertThat(BINDINGS.all(RoleBinding.class)).allSatisfy(binding -> assertThat(binding.getSubjects())
                .singleElement()
                .satisfies(subject -> {
                    assertThat(subject.getKind()).isEqualTo("ServiceAccount");
                    assertThat(subject.getName()).isEqualTo(account.getName());
                    assertThat(subject.getNamespace()).isEqualTo(account.getNamespace());
                }));
    }

    /** Of all roles of that name on the pages: one for workloads and one for CloudNativePG make the databases'. */
    private static Set<Right> documented(String role) {
        return Stream.of("docs/shared-databases.md", "docs/actuators.md")
                .map(page -> Yaml.text(Path.of(page)))
                .flatMap(text ->
                        Pattern.compile("(?s)```yaml\\n(.*?)```").matcher(text).results())
                .flatMap(block -> Yaml.documents(block.group(1)).stream())
                .filter(object -> object.path("kind").asText().equals("Role"))
                .filter(object -> object.at("/metadata/name").asText().equals(role))
                .flatMap(object -> object.path("rules").valueStream())
                .flatMap(rule -> Right.all(
                        Yaml.texts(rule.path("apiGroups")),
                        Yaml.texts(rule.path("resources")),
                        Yaml.texts(rule.path("verbs"))))
                .collect(Collectors.toSet());
    }
}

package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Optional;
import java.util.Set;

/** Every pod keeps the restricted standard of Pod Security, and what is asked beyond it here. */
class PodSecurityTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> VOLUMES = Set.of("name", "configMap", "emptyDir");

    @EveryFolder
    void aPodSharesNothingWithItsNode(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            var pod = workload.pod().getSpec();
            assertThat(pod.getHostNetwork()).as("%s", workload).isNull();
            assertThat(pod.getHostPID()).isNull();
            assertThat(pod.getHostIPC()).isNull();
            assertThat(pod.getVolumes())
                    .allSatisfy(volume -> assertThat(JSON.valueToTree(volume).fieldNames())
                            .toIterable()
                            .isSubsetOf(VOLUMES));
            assertThat(workload.containers().flatMap(container -> container.getPorts().stream()))
                    .allSatisfy(port -> assertThat(port.getHostPort()).isNull());
        }
    }

    @EveryFolder
    void aPodRunsAsAUserWithoutRightsUnderTheSystemCallsOfTheRuntime(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            var pod = workload.pod().getSpec();
            assertThat(pod.getSecurityContext().getRunAsNonRoot())
                    .as("%s", workload)
                    .isTrue();
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            assertThat(workload.containers()).allSatisfy(container -> restricted(pod, container));
        }
    }

    private static void restricted(PodSpec pod, Container container) {
        var context = container.getSecurityContext();
        assertThat(context.getAllowPrivilegeEscalation()).isFalse();
        assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(context.getCapabilities().getAdd()).isEmpty();
        assertThat(context.getReadOnlyRootFilesystem()).isTrue();
        assertThat(context.getPrivileged()).isNull();
        assertThat(context.getRunAsNonRoot()).isNull();
        assertThat(context.getSeccompProfile()).isNull();
        assertThat(Optional.ofNullable(context.getRunAsUser())
                        .orElse(pod.getSecurityContext().getRunAsUser()))
                .isPositive();
    }

    @EveryFolder
    void aContainerHasAMemoryLimitAndIsNotThrottled(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            assertThat(workload.containers()).allSatisfy(container -> {
                assertThat(container.getResources().getRequests()).containsOnlyKeys("cpu", "memory");
                assertThat(container.getResources().getLimits()).containsOnlyKeys("memory");
            });
        }
    }

    @EveryFolder
    void aPodCannotFillTheDiskOfItsNode(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            assertThat(workload.pod().getSpec().getVolumes())
                    .extracting(Volume::getEmptyDir)
                    .allSatisfy(emptyDir -> assertThat(emptyDir == null || emptyDir.getSizeLimit() != null)
                            .isTrue());
        }
    }

    @EveryFolder
    void onlyAServerThatAsksKubernetesGetsAToken(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            var asksKubernetes = rendered.holdfastContainers().stream()
                    .anyMatch(holdfast -> holdfast.workload().equals(workload)
                            && workload.pod().getSpec().getContainers().contains(holdfast.container()));
            assertThat(workload.pod().getSpec().getAutomountServiceAccountToken())
                    .as("%s", workload)
                    .isEqualTo(asksKubernetes);
        }
    }
}

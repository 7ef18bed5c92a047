package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the manifests say of each other is so. */
class ManifestsTest {
    private static final String METADATA_ADDRESS = "169.254.169.254/32";
    private static final List<String> POD_SECURITY = List.of("enforce", "audit", "warn");

    @Test
    void everyOverlayIsRendered() {
        assertThat(Rendered.folders())
                .extracting(Object::toString)
                .contains(
                        "k8s/base",
                        "k8s/overlays/dev",
                        "k8s/overlays/dev-jvm",
                        "k8s/overlays/prod",
                        "k8s/overlays/prod-jvm",
                        "k8s/overlays/sidecar",
                        "k8s/watched-namespace");
    }

    @EveryFolder
    void noTwoObjectsHaveOneName(Rendered rendered) {
        assertThat(rendered.objects())
                .extracting(
                        object -> object.getKind() + " " + object.getMetadata().getName())
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }

    @EveryFolder
    void everyObjectIsInTheNamespaceThatComesWithItAndThatOneIsRestricted(Rendered rendered) {
        for (var namespace : rendered.all(Namespace.class)) {
            assertThat(rendered.objects())
                    .extracting(object -> object.getMetadata().getNamespace())
                    .filteredOn(Objects::nonNull)
                    .isNotEmpty()
                    .containsOnly(namespace.getMetadata().getName());
            for (var mode : POD_SECURITY) {
                assertThat(namespace.getMetadata().getLabels())
                        .containsEntry("pod-security.kubernetes.io/" + mode, "restricted");
            }
        }
    }

    @EveryFolder
    void aWorkloadSelectsItsOwnPodsAndNoOthers(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            assertThat(rendered.selectedBy(workload.selector())).containsExactly(workload);
            for (var spread : workload.pod().getSpec().getTopologySpreadConstraints()) {
                assertThat(rendered.selectedBy(spread.getLabelSelector().getMatchLabels()))
                        .containsExactly(workload);
            }
        }
    }

    @EveryFolder
    void aServiceLeadsToAPortOfPodsThatAreThere(Rendered rendered) {
        for (var service : rendered.all(Service.class)) {
            var selected = rendered.selectedBy(service.getSpec().getSelector());
            assertThat(selected).as("pods of %s", service).hasSize(1);
            for (var port : service.getSpec().getPorts()) {
                assertThat(portNames(selected.getFirst()))
                        .contains(port.getTargetPort().getStrVal());
            }
        }
    }

    /** Two overlays may be applied to one namespace; a Service that led to both would grant each lock twice. */
    @EveryFolder
    void aServiceLeadsToOneStoreAndToNoOther(Rendered rendered) {
        for (var service : rendered.all(Service.class)) {
            var store = service.getSpec().getSelector().get("holdfast.io/store");
            assertThat(rendered.holdfastContainers())
                    .as("behind %s", service.getMetadata().getName())
                    .isNotEmpty()
                    .allSatisfy(holdfast -> assertThat(holdfast.environment()).containsEntry("HOLDFAST_STORE", store));
        }
    }

    @EveryFolder
    void anAutoscalerHasADeploymentThatLeavesItTheReplicas(Rendered rendered) {
        for (var autoscaler : rendered.all(HorizontalPodAutoscaler.class)) {
            var target = autoscaler.getSpec().getScaleTargetRef();
            assertThat(target.getKind()).isEqualTo("Deployment");
            assertThat(target.getApiVersion()).isEqualTo(HasMetadata.getApiVersion(Deployment.class));
            assertThat(rendered.one(Deployment.class, target.getName())
                            .getSpec()
                            .getReplicas())
                    .isNull();
            assertThat(autoscaler.getSpec().getMinReplicas())
                    .isBetween(2, autoscaler.getSpec().getMaxReplicas());
        }
    }

    @EveryFolder
    void aDisruptionBudgetCoversPodsThatAreThereAndAllowsOneToGo(Rendered rendered) {
        for (var budget : rendered.all(PodDisruptionBudget.class)) {
            assertThat(rendered.selectedBy(budget.getSpec().getSelector().getMatchLabels()))
                    .hasSize(1);
            assertThat(budget.getSpec().getMaxUnavailable().getIntVal()).isEqualTo(1);
        }
    }

    @EveryFolder
    void aNetworkPolicyCoversPodsThatAreThereAndOpensOnlyPortsTheyHave(Rendered rendered) {
        for (var policy : rendered.all(NetworkPolicy.class)) {
            var selected = rendered.selectedBy(policy.getSpec().getPodSelector().getMatchLabels());
            assertThat(selected).hasSize(1);
            assertThat(policy.getSpec().getPolicyTypes()).contains("Ingress");
            for (var ingress : policy.getSpec().getIngress()) {
                assertThat(ingress.getPorts())
                        .isNotEmpty()
                        .extracting(port -> port.getPort().getStrVal())
                        .isSubsetOf(portNames(selected.getFirst()));
            }
        }
    }

    @EveryFolder
    void noNetworkPolicyOpensTheWayToTheCredentialsOfTheNode(Rendered rendered) {
        var everywhere = rendered.all(NetworkPolicy.class).stream()
                .flatMap(policy -> policy.getSpec().getEgress().stream())
                .flatMap(egress -> egress.getTo().stream())
                .map(NetworkPolicyPeer::getIpBlock)
                .filter(Objects::nonNull)
                .filter(block -> block.getCidr().matches("0\\.0\\.0\\.0/0|169\\.254\\.(0\\.0/16|169\\..*)"));

        assertThat(everywhere).extracting(IPBlock::getExcept).allSatisfy(except -> assertThat(except)
                .contains(METADATA_ADDRESS));
    }

    @EveryFolder
    void everyWayOutIsOpenedByPort(Rendered rendered) {
        for (var policy : rendered.all(NetworkPolicy.class)) {
            assertThat(policy.getSpec().getEgress())
                    .as("egress of %s", policy.getMetadata().getName())
                    .allSatisfy(egress -> assertThat(egress.getPorts()).isNotEmpty());
        }
    }

    @EveryFolder
    void whatAPodRefersToIsThere(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            var pod = workload.pod().getSpec();
            assertThat(rendered.names(ServiceAccount.class))
                    .containsAll(Stream.ofNullable(pod.getServiceAccountName()).toList());
            assertThat(rendered.names(PriorityClass.class))
                    .containsAll(Stream.ofNullable(pod.getPriorityClassName()).toList());
            assertThat(rendered.names(ConfigMap.class))
                    .containsAll(pod.getVolumes().stream()
                            .map(Volume::getConfigMap)
                            .filter(Objects::nonNull)
                            .map(source -> source.getName())
                            .toList())
                    .containsAll(workload.containers()
                            .flatMap(container -> container.getEnvFrom().stream())
                            .map(source -> source.getConfigMapRef().getName())
                            .toList());
        }
    }

    @EveryFolder
    void everyMountHasItsVolumeAndEveryVolumeItsMount(Rendered rendered) {
        for (var workload : rendered.workloads()) {
            var mounted = workload.containers()
                    .flatMap(container -> container.getVolumeMounts().stream())
                    .map(VolumeMount::getName)
                    .distinct();
            var volumes = Stream.concat(
                    workload.pod().getSpec().getVolumes().stream().map(Volume::getName), workload.claims());

            assertThat(mounted).containsExactlyInAnyOrderElementsOf(volumes.toList());
        }
    }

    @EveryFolder
    void aStatefulSetHasItsHeadlessService(Rendered rendered) {
        for (var statefulSet : rendered.all(StatefulSet.class)) {
            var service = rendered.one(Service.class, statefulSet.getSpec().getServiceName());
            assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
        }
    }

    @Test
    void productionHasAReplicaForEachOfThreeZonesAndARole() {
        var prod = Rendered.named("overlays/prod");

        assertThat(prod.one(HorizontalPodAutoscaler.class, "holdfast").getSpec().getMinReplicas())
                .isEqualTo(3);
        assertThat(prod.one(ServiceAccount.class, "holdfast").getMetadata().getAnnotations())
                .hasEntrySatisfying(
                        "eks.amazonaws.com/role-arn", role -> assertThat(role).startsWith("arn:aws:iam::"));
    }

    @Test
    void productionGoesAfterOrdinaryPodsWhenNodesAreFull() {
        for (var folder : List.of("overlays/prod", "overlays/prod-jvm")) {
            var prod = Rendered.named(folder);
            var pod = prod.one(Deployment.class, "holdfast")
                    .getSpec()
                    .getTemplate()
                    .getSpec();

            assertThat(prod.one(PriorityClass.class, pod.getPriorityClassName()).getValue())
                    .isGreaterThan(0);
        }
    }

    private static List<String> portNames(Rendered.Workload workload) {
        return workload.containers()
                .flatMap(container -> container.getPorts().stream())
                .map(ContainerPort::getName)
                .toList();
    }
}

package io.holdfast.deploy;

import static java.util.function.Predicate.not;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What a folder is rendered to, once it is looked at: one that cannot be rendered fails its own tests and no others. */
record Rendered(Path folder) {
    private static final Path ROOT = Path.of("k8s");
    private static final Map<Path, List<HasMetadata>> OBJECTS = new ConcurrentHashMap<>();

    /** What runs: a pod's labels and contents, and the labels that its workload finds it by. */
    record Workload(HasMetadata object, Map<String, String> selector, PodTemplateSpec pod) {
        String kind() {
            return object.getKind();
        }

        String name() {
            return object.getMetadata().getName();
        }

        Stream<Container> containers() {
            var spec = pod.getSpec();
            return Stream.concat(spec.getInitContainers().stream(), spec.getContainers().stream());
        }

        /** The names of the volumes that it makes itself. */
        Stream<String> claims() {
            return object instanceof StatefulSet statefulSet
                    ? statefulSet.getSpec().getVolumeClaimTemplates().stream()
                            .map(claim -> claim.getMetadata().getName())
                    : Stream.empty();
        }

        @Override
        public String toString() {
            return kind() + " " + name();
        }
    }

    static Stream<Path> folders() {
        try (var files = Files.walk(ROOT)) {
            return files
                    .filter(file -> file.endsWith("kustomization.yaml"))
                    .map(Path::getParent)
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Rendered> all() {
        return folders().map(Rendered::new);
    }

    static Rendered named(String folder) {
        return new Rendered(ROOT.resolve(folder));
    }

    List<HasMetadata> objects() {
        return OBJECTS.computeIfAbsent(
                folder,
                path -> Kustomization.render(path).stream().map(Manifest::parse).toList());
    }

    <T extends HasMetadata> List<T> all(Class<T> kind) {
        return objects().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    <T extends HasMetadata> T one(Class<T> kind, String name) {
        return all(kind).stream()
                .filter(object -> name.equals(object.getMetadata().getName()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(folder + " has no " + kind.getSimpleName() + " " + name));
    }

    List<String> names(Class<? extends HasMetadata> kind) {
        return all(kind).stream().map(object -> object.getMetadata().getName()).toList();
    }

    List<Workload> workloads() {
        var deployments = all(Deployment.class).stream()
                .map(found -> new Workload(
                        found,
                        found.getSpec().getSelector().getMatchLabels(),
                        found.getSpec().getTemplate()));
        var statefulSets = all(StatefulSet.class).stream()
                .map(found -> new Workload(
                        found,
                        found.getSpec().getSelector().getMatchLabels(),
                        found.getSpec().getTemplate()));
        return Stream.concat(deployments, statefulSets).toList();
    }

    List<Workload> selectedBy(Map<String, String> labels) {
        return workloads().stream()
                .filter(not(workload -> labels.isEmpty()))
                .filter(workload ->
                        workload.pod().getMetadata().getLabels().entrySet().containsAll(labels.entrySet()))
                .toList();
    }

    List<HoldfastContainer> holdfastContainers() {
        return workloads().stream()
                .flatMap(workload -> HoldfastContainer.of(this, workload))
                .toList();
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}

package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.holdfast.docs.Setting;
import io.holdfast.kernel.KnownSettings;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the manifests ask of the program is what it does. */
class HoldfastContainersTest {
    private static final Properties APPLICATION = application();

    /** What a process that is told to end needs besides the time that it is given for its requests. */
    private static final Duration GRACE_MARGIN = Duration.ofSeconds(5);

    /** Beside the heap: the program itself, stacks, and the buffers of connections and of SQLite. */
    private static final long BESIDE_HEAP_MIN = 96L << 20;

    /** Options that a native program takes at run time instead of passing them on as commands. */
    private static final Pattern NATIVE_OPTION = Pattern.compile("-Xm[xns]\\d+[kmg]");

    private static final Pattern HEAP_OPTION = Pattern.compile("-Xmx(\\d+)m");
    private static final Pattern HEAP_BUILT_IN = Pattern.compile("-R:MaxHeapSize=(\\d+)m");

    @Test
    void everyOverlayButTheBindingsRunsHoldfast() {
        for (var folder : List.of(
                "base", "overlays/dev", "overlays/dev-jvm", "overlays/prod", "overlays/prod-jvm", "overlays/sidecar")) {
            assertThat(Rendered.named(folder).holdfastContainers()).as(folder).hasSize(1);
        }
    }

    @EveryFolder
    void theImageIsOfThisVersion(Rendered rendered) {
        var version = first("<artifactId>holdfast</artifactId>\\s*<version>([^<]+)<", Yaml.text(Path.of("pom.xml")));

        for (var holdfast : rendered.holdfastContainers()) {
            assertThat(holdfast.container().getImage()).endsWith("holdfast:" + version);
        }
    }

    @EveryFolder
    void thePortIsTheOneItListensOn(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            var port = holdfast.environment()
                    .getOrDefault("QUARKUS_HTTP_PORT", APPLICATION.getProperty("quarkus.http.port"));
            assertThat(holdfast.container().getPorts()).singleElement().satisfies(found -> {
                assertThat(found.getName()).isEqualTo("http");
                assertThat(found.getContainerPort()).isEqualTo(Integer.valueOf(port));
            });
            // The kubelet's probes come to the pod's address.
            assertThat(holdfast.environment()).doesNotContainKey("QUARKUS_HTTP_HOST");
        }
    }

    @EveryFolder
    void theProbesAskWhetherItHasStartedIsReadyAndLives(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            var container = holdfast.container();
            asks("/q/health/started", container.getStartupProbe());
            asks("/q/health/live", container.getLivenessProbe());
            // A sidecar that is not ready would make the app beside it not ready.
            if (isServer(holdfast)) {
                asks("/q/health/ready", container.getReadinessProbe());
            } else {
                assertThat(container.getReadinessProbe()).isNull();
            }
        }
    }

    private static void asks(String path, Probe probe) {
        assertThat(probe.getHttpGet().getPath()).isEqualTo(path);
        assertThat(probe.getHttpGet().getPort().getStrVal()).isEqualTo("http");
        assertThat(probe.getHttpGet().getHost()).isNull();
    }

    @EveryFolder
    void theReadinessProbeWaitsLongerThanTheCheckOfTheStore(Rendered rendered) {
        var check = Integer.valueOf(first(
                "ANSWER_MAX = Duration.ofSeconds\\((\\d+)\\)",
                Yaml.text(Path.of("src/main/java/io/holdfast/boot/StoreMonitor.java"))));

        for (var holdfast : rendered.holdfastContainers()) {
            Optional.ofNullable(holdfast.container().getReadinessProbe())
                    .ifPresent(probe -> assertThat(probe.getTimeoutSeconds()).isGreaterThan(check));
        }
    }

    @EveryFolder
    void everyVariableIsASettingOfTheProgram(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            assertThat(holdfast.environment().keySet()).as("%s", holdfast).isSubsetOf(known());
            // The Service called holdfast would bring variables such as HOLDFAST_PORT.
            assertThat(holdfast.workload().pod().getSpec().getEnableServiceLinks())
                    .isFalse();
        }
    }

    @EveryFolder
    void everyValueIsOneThatTheProgramTakes(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            readByTheProgram(holdfast.environment());
            assertThat(holdfast.environment().get("HOLDFAST_STORE")).isIn("embedded", "dynamodb");
            drainDelay(holdfast);
        }
    }

    /** Fails on a value that a setting cannot have. */
    private static void readByTheProgram(Map<String, String> environment) {
        var config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(new EnvConfigSource(environment, 300));
        Setting.mappings().forEach(config::withMapping);
        config.build();
    }

    @EveryFolder
    void theEmbeddedStoreIsOneProcessOnAVolume(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            if (holdfast.environment().get("HOLDFAST_STORE").equals("embedded")) {
                assertThat(holdfast.workload().kind()).isEqualTo("StatefulSet");
                assertThat(holdfast.workload().object())
                        .extracting("spec.replicas")
                        .isEqualTo(1);
                assertThat(rendered.objects())
                        .extracting(object -> object.getKind())
                        .doesNotContain("HorizontalPodAutoscaler", "PodDisruptionBudget");
                var volume = holdfast.container().getVolumeMounts().stream()
                        .filter(mount -> mount.getMountPath()
                                .equals(holdfast.environment().get("HOLDFAST_DATA_DIR")))
                        .map(VolumeMount::getName);
                assertThat(holdfast.workload().claims()).containsExactlyElementsOf(volume.toList());
                var pod = holdfast.workload().pod().getSpec().getSecurityContext();
                assertThat(pod.getFsGroup()).isEqualTo(pod.getRunAsGroup());
            }
        }
    }

    @Test
    void onDynamoDbTheTableAndItsRegionAreNamed() {
        for (var folder : List.of("overlays/prod", "overlays/sidecar")) {
            assertThat(Rendered.named(folder).holdfastContainers())
                    .allSatisfy(holdfast -> assertThat(holdfast.environment())
                            .containsEntry("HOLDFAST_STORE", "dynamodb")
                            .containsKeys("HOLDFAST_TABLE", "AWS_REGION"));
        }
    }

    @EveryFolder
    void argumentsAreOptionsOfTheNativeProgramAndNotCommands(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            assertThat(holdfast.container().getCommand()).isEmpty();
            assertThat(holdfast.container().getArgs())
                    .allSatisfy(argument -> assertThat(argument).matches(NATIVE_OPTION));
        }
    }

    @EveryFolder
    void thePodHasTimeToDrain(Rendered rendered) {
        var timeout = DurationConverter.parseDuration(APPLICATION.getProperty("quarkus.shutdown.timeout"));

        for (var holdfast : rendered.holdfastContainers()) {
            var lifecycle = Optional.ofNullable(holdfast.container().getLifecycle());
            var preStop = lifecycle.map(found -> found.getPreStop().getSleep().getSeconds());
            // A sidecar ends after the app that it serves, so nobody is left to lead elsewhere.
            assertThat(preStop.isPresent()).as("%s", holdfast).isEqualTo(isServer(holdfast));
            var needed = drainDelay(holdfast).plus(timeout).plus(GRACE_MARGIN).plusSeconds(preStop.orElse(0L));
            assertThat(Duration.ofSeconds(holdfast.workload().pod().getSpec().getTerminationGracePeriodSeconds()))
                    .as("%s", holdfast)
                    .isGreaterThanOrEqualTo(needed);
        }
    }

    /** The CPU of a busy node is divided by requests, and a process that gets none renews late. */
    @EveryFolder
    void enoughCpuIsRequestedForRenewalsOnABusyNode(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            var cpu = holdfast.container().getResources().getRequests().get("cpu");
            assertThat(cpu.getNumericalAmount())
                    .as("%s", holdfast)
                    .isGreaterThanOrEqualTo(new BigDecimal(isServer(holdfast) ? "0.25" : "0.05"));
            assertThat(holdfast.container().getResources().getLimits()).doesNotContainKey("cpu");
        }
    }

    @Test
    void theJvmIsGivenTheMemoryThatItHasWhenIdle() {
        var idle = Long.parseLong(
                first("-Xmx256m` \\|[^|]*\\|[^|]*\\| (\\d+) MiB \\|", Yaml.text(Path.of("docs/operations.md"))));
        for (var folder : List.of("overlays/dev-jvm", "overlays/prod-jvm")) {
            var jvm = Rendered.named(folder).holdfastContainers().getFirst();

            assertThat(memory(jvm, "requests")).as(folder).isGreaterThan(idle << 20);
            assertThat(memory(jvm, "limits")).as(folder).isGreaterThan(memory(jvm, "requests"));
        }
    }

    private static long memory(HoldfastContainer holdfast, String which) {
        var resources = holdfast.container().getResources();
        var amounts = which.equals("requests") ? resources.getRequests() : resources.getLimits();
        return Quantity.getAmountInBytes(amounts.get("memory")).longValueExact();
    }

    @EveryFolder
    void theMemoryLimitLeavesRoomBesideTheHeap(Rendered rendered) {
        for (var holdfast : rendered.holdfastContainers()) {
            var limit = holdfast.container().getResources().getLimits().get("memory");
            var heap = heapMegabytes(holdfast);
            assumeTrue(heap.isPresent(), "the heap has no built-in cap that the limit could be compared with");

            assertThat(Quantity.getAmountInBytes(limit).longValueExact() - (heap.get() << 20))
                    .as("%s", holdfast)
                    .isGreaterThanOrEqualTo(BESIDE_HEAP_MIN);
        }
    }

    private static Optional<Long> heapMegabytes(HoldfastContainer holdfast) {
        var given = String.join(" ", holdfast.container().getArgs());
        var builtIn = APPLICATION.getProperty("quarkus.native.additional-build-args", "");
        return Stream.of(HEAP_OPTION.matcher(given), HEAP_BUILT_IN.matcher(builtIn))
                .flatMap(matcher -> matcher.results())
                .map(match -> Long.valueOf(match.group(1)))
                .findFirst();
    }

    private static boolean isServer(HoldfastContainer holdfast) {
        return holdfast.workload().pod().getSpec().getContainers().contains(holdfast.container());
    }

    private static Duration drainDelay(HoldfastContainer holdfast) {
        var byDefault = first("\\$\\{HOLDFAST_DRAIN_DELAY:([^}]+)}", APPLICATION.getProperty("quarkus.shutdown.delay"));
        return DurationConverter.parseDuration(holdfast.environment().getOrDefault("HOLDFAST_DRAIN_DELAY", byDefault));
    }

    /** What the code reads, and of the settings of Quarkus and AWS those that the page on configuration has. */
    private static Set<String> known() {
        var names = Setting.all().stream().map(Setting::environment).collect(Collectors.toCollection(TreeSet::new));
        names.addAll(KnownSettings.variables());
        var page = Yaml.text(Path.of("docs/configuration.md"));
        var section = first("(?s)\n## Settings of Quarkus and AWS\n(.*?)\n## ", page);
        Pattern.compile("`((?:QUARKUS|AWS)_\\w+)`")
                .matcher(section)
                .results()
                .forEach(match -> names.add(match.group(1)));
        return names;
    }

    private static String first(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing matches " + pattern));
    }

    private static Properties application() {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(Path.of("src/main/resources/application.properties"))) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}

package io.holdfast.docs;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.deploy.ActionsUsed;
import io.holdfast.job.port.SilentJobListener;
import io.holdfast.lifecycle.port.HeardLifecycle;
import io.holdfast.lock.LockConfig;
import io.holdfast.lock.sweep.SweepConfig;
import io.holdfast.store.StoreConfig;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.holdfast.store.embedded.engine.EmbeddedConfig;
import io.holdfast.telemetry.metrics.JobMetrics;
import io.holdfast.telemetry.metrics.LifecycleMetrics;
import io.holdfast.telemetry.metrics.LockMetrics;
import io.holdfast.telemetry.metrics.LockStatisticsMetrics;
import io.holdfast.telemetry.metrics.PowerMetrics;
import io.holdfast.telemetry.metrics.ProcessMetrics;
import io.holdfast.telemetry.metrics.StoreMetrics;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages say of settings, error codes, metrics, permissions and each other is what there is. */
class DocsTest {

    private static final Path CONFIGURATION = Path.of("docs/configuration.md");
    private static final Path OPERATIONS = Path.of("docs/operations.md");
    private static final Path ACTUATORS = Path.of("docs/actuators.md");
    private static final Path COMMAND_LINE = Path.of("src/main/java/io/holdfast/cli");
    private static final Path LAUNCHER = Path.of("src/main/sh/holdfast");
    private static final Path WRAPPER = Path.of("examples/terraform/with-lock.sh");

    private static final Pattern SETTING_ROW =
            Pattern.compile("(?m)^\\| `(holdfast\\.[a-z0-9.-]+)` \\| `([A-Z0-9_]+)` \\| `?([^`|]+?)`? \\|");
    private static final Pattern CODE_ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (\\d{3}) \\|");
    private static final Pattern METRIC_ROW = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (?:summary|counter|gauge) \\|");
    private static final Pattern PROBLEM_MADE = Pattern.compile("(\\d{3}),\\s*\"([a-z]+(?:-[a-z]+)*)\"");
    private static final Pattern TEST_NAME = Pattern.compile("`([A-Z]\\w+(?:Test|IT|Facts|Contract))`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    @Test
    void everySettingIsDocumentedWithItsEnvironmentNameAndDefaultAndNoOtherIs() {
        var documented = found(SETTING_ROW, read(CONFIGURATION))
                .map(row -> new Setting(row.group(1), row.group(2), row.group(3)))
                .toList();

        assertThat(documented).containsExactlyInAnyOrderElementsOf(Setting.all());
    }

    @Test
    void theSettingsAreFoundInEveryPackage() {
        assertThat(Setting.mappings())
                .contains(
                        LockConfig.class,
                        SweepConfig.class,
                        StoreConfig.class,
                        EmbeddedConfig.class,
                        DynamoDbConfig.class)
                .extracting(Class::getSimpleName)
                .contains("HttpConfig");
    }

    @Test
    void noPageNamesASettingThatDoesNotExist() {
        var keys = Setting.all().stream().map(Setting::key).collect(Collectors.toSet());
        var named = Pattern.compile("(?<![\\w./])holdfast\\.[a-z]+(\\.[a-z0-9-]+)+");

        for (var page : pages()) {
            assertThat(found(named, read(page)).map(MatchResult::group))
                    .as("keys in %s", page)
                    .isSubsetOf(keys);
        }
    }

    @Test
    void noPageNamesAnEnvironmentVariableThatNobodyReads() {
        var readBySomebody = Setting.all().stream().map(Setting::environment).collect(Collectors.toSet());
        var variable = Pattern.compile("\\bHOLDFAST_[A-Z0-9_]+");
        Stream.concat(
                        Stream.of(WRAPPER, LAUNCHER, Path.of("src/main/resources/application.properties"))
                                .map(DocsTest::read),
                        sources(COMMAND_LINE))
                .flatMap(text -> found(variable, text).map(MatchResult::group))
                .forEach(readBySomebody::add);

        for (var page : pages()) {
            assertThat(found(variable, read(page)).map(MatchResult::group))
                    .as("variables in %s", page)
                    .isSubsetOf(readBySomebody);
        }
    }

    @Test
    void theCommandLinesPageNamesEveryVariableThatItReadsOrSets() {
        var read = Pattern.compile("\"((?:HOLDFAST|NO)_[A-Z_]+)\"|\\$\\{(HOLDFAST_[A-Z_]+)-}");
        var variables = Stream.concat(Stream.of(read(LAUNCHER)), sources(COMMAND_LINE))
                .flatMap(text -> found(read, text))
                .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(variables)
                .contains("HOLDFAST_FENCING_TOKEN", "HOLDFAST_JAVA", "HOLDFAST_OWNER", "HOLDFAST_URL", "NO_COLOR")
                .allSatisfy(variable ->
                        assertThat(read(Path.of("docs/cli.md"))).containsPattern("`[^`\n]*\\b" + variable + "\\b"));
    }

    @Test
    void theDrainDelayHasTheDocumentedDefault() {
        var properties = read(Path.of("src/main/resources/application.properties"));
        var byDefault = found(Pattern.compile("\\$\\{HOLDFAST_DRAIN_DELAY:([^}]+)}"), properties)
                .map(match -> match.group(1))
                .toList();

        assertThat(byDefault).hasSize(1);
        assertThat(read(CONFIGURATION)).contains("| `HOLDFAST_DRAIN_DELAY` | `" + byDefault.get(0) + "` |");
    }

    @Test
    void everyErrorCodeIsDocumentedWithItsStatusAndNoOtherIs() {
        var made = sources(Path.of("src/main/java"))
                .flatMap(source -> found(PROBLEM_MADE, source))
                .map(match -> match.group(2) + " " + match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        var documented = found(CODE_ROW, section(OPERATIONS, "Error codes"))
                .map(row -> row.group(1) + " " + row.group(2))
                .toList();

        assertThat(made).contains("lock-conflict 409");
        assertThat(documented).containsExactlyInAnyOrderElementsOf(made);
    }

    /** The registry is deprecated by Micrometer, and is the one that Quarkus runs. */
    @SuppressWarnings("deprecation")
    @Test
    void everyMetricIsDocumentedAndNoOtherIs() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JobMetrics(registry, SilentJobListener.INSTANCE);
        new LifecycleMetrics(registry, new HeardLifecycle());
        new LockMetrics(registry).called("acquire", 0, Duration.ofMillis(1), true);
        new LockStatisticsMetrics(registry);
        new StoreMetrics(registry);
        new ProcessMetrics().bindTo(registry);
        new PowerMetrics(registry);
        var registered = registry.scrape()
                .lines()
                .filter(not(line -> line.startsWith("#")))
                .map(line -> line.split("[ {]")[0].replaceFirst("_(count|sum|max)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        var documented = found(METRIC_ROW, section(OPERATIONS, "Metrics"))
                .map(row -> row.group(1))
                .toList();

        assertThat(documented).containsExactlyInAnyOrderElementsOf(registered);
    }

    @Test
    void thePoliciesAllowWhatTheCodeDoesAtRunTimeAndNoMore() throws JsonProcessingException {
        assertThat(actions(section(OPERATIONS, "IAM"))).isEqualTo(ActionsUsed.ofDynamoDb());
        assertThat(actions(section(ACTUATORS, "ec2"))).isEqualTo(ActionsUsed.ofEc2());
        assertThat(actions(section(ACTUATORS, "rds"))).isEqualTo(ActionsUsed.ofRds());
        assertThat(section(OPERATIONS, "IAM")).contains(ActionsUsed.CREATING);
    }

    private static Set<String> actions(String section) throws JsonProcessingException {
        var policy = found(Pattern.compile("(?s)```json\\n(.*?)```"), section)
                .map(block -> block.group(1))
                .filter(block -> block.contains("\"Statement\""))
                .findFirst()
                .orElseThrow();
        var allowed = new TreeSet<String>();
        new ObjectMapper()
                .readTree(policy)
                .findValues("Action")
                .forEach(list -> list.forEach(action -> allowed.add(action.textValue())));
        return allowed;
    }

    @Test
    void everyRelativeLinkLeadsToAFileAndEveryAnchorToAHeading() {
        for (var page : pages()) {
            for (var target :
                    found(LINK, read(page)).map(match -> match.group(1)).toList()) {
                if (target.startsWith("http://") || target.startsWith("https://")) {
                    continue;
                }
                var parts = target.split("#", 2);
                var file = parts[0].isEmpty()
                        ? page
                        : page.resolveSibling(parts[0]).normalize();
                assertThat(file).as("the target of (%s) in %s", target, page).exists();
                if (parts.length == 2) {
                    assertThat(anchors(file))
                            .as("the anchors for (%s) in %s", target, page)
                            .contains(parts[1]);
                }
            }
        }
    }

    @Test
    void everyDecisionIsReachedByALink() {
        var linked = pages().stream()
                .flatMap(page -> found(LINK, read(page))
                        .map(match -> page.resolveSibling(match.group(1).split("#", 2)[0])
                                .normalize()))
                .collect(Collectors.toSet());

        assertThat(linked).containsAll(filesUnder(Path.of("docs/adr"), ".md"));
    }

    @Test
    void everyTestThatAPageNamesIsThere() {
        var tests = filesUnder(Path.of("src/test/java"), ".java").stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        for (var page : pages()) {
            assertThat(tests)
                    .as(page.toString())
                    .containsAll(found(TEST_NAME, read(page))
                            .map(match -> match.group(1))
                            .toList());
        }
    }

    private static List<Path> pages() {
        var pages = new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        pages.addAll(filesUnder(Path.of("docs"), ".md"));
        return pages;
    }

    /** From the heading to the next one of its own or a higher level. */
    private static String section(Path page, String heading) {
        var lines = read(page).lines().toList();
        var start = 0;
        while (!lines.get(start).matches("#+ " + heading)) {
            start++;
        }
        var level = lines.get(start).indexOf(' ');
        var end = start + 1;
        while (end < lines.size() && !lines.get(end).matches("#{1," + level + "} .*")) {
            end++;
        }
        return String.join("\n", lines.subList(start, end)) + "\n";
    }

    private static List<String> anchors(Path page) {
        return found(Pattern.compile("(?m)^#+ (.+)$"), read(page))
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
                .toList();
    }

    private static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static Stream<String> sources(Path folder) {
        return filesUnder(folder, ".java").stream().map(DocsTest::read);
    }

    private static List<Path> filesUnder(Path folder, String suffix) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

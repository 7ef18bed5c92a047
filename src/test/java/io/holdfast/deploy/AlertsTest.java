package io.holdfast.deploy;

import static io.holdfast.deploy.Monitoring.alerts;
import static io.holdfast.deploy.Monitoring.elements;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.deploy.PromQl.Match;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each alert says what is wrong and what to do, and fires when it should. */
class AlertsTest {
    private static final Path TRIED = Path.of("src/test/resources/monitoring/alerts-test.yml");
    private static final String RUNBOOK = "docs/operations.md";
    private static final String PUBLISHED = "https://docs.example.com/holdfast/operations.md";
    private static final String SECTION = "## When an alert fires\n";

    static Stream<String> names() {
        return alerts().stream().map(AlertsTest::name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void anAlertSaysHowBadItIsWhatHappenedAndWhatToDo(String name) {
        var alert = alert(name);

        assertThat(alert.at("/labels/severity").asText()).isIn("warning", "critical");
        assertThat(alert.at("/annotations/summary").asText()).endsWith(".");
        assertThat(alert.at("/annotations/description").asText()).endsWith(".").hasSizeGreaterThan(60);
        assertThat(alert.at("/annotations/runbook_url").asText())
                .isEqualTo(PUBLISHED + "#" + name.toLowerCase(Locale.ROOT));
    }

    /** A single bad scrape is nobody's night. */
    @ParameterizedTest
    @MethodSource("names")
    void anAlertWaitsBeforeItFires(String name) {
        assertThat(alert(name).path("for").asText()).matches("[1-9][0-9]*m");
    }

    @ParameterizedTest
    @MethodSource("names")
    void anAlertAsksForHoldfastAloneAndForAllReplicasTogether(String name) {
        var query = PromQl.of(alert(name).path("expr").asText());

        assertThat(query.selectors()).isNotEmpty().allSatisfy(selector -> assertThat(selector.matches())
                .contains(new Match("job", "=", "holdfast")));
        assertThat(query.groupings()).isNotEmpty().allSatisfy(grouping -> assertThat(grouping.labels())
                .contains("namespace", "job"));
    }

    @Test
    void everyAlertHasItsParagraphAndNoOtherHas() throws IOException {
        var page = Files.readString(Path.of(RUNBOOK));
        var section = page.substring(page.indexOf(SECTION) + SECTION.length()).split("\n## ", 2)[0];

        assertThat(section.lines().filter(line -> line.startsWith("### ")).map(line -> line.substring(4)))
                .containsExactlyInAnyOrderElementsOf(names().toList());
    }

    @ParameterizedTest
    @MethodSource("names")
    void theRunbookHasTheHeadingThatTheAlertPointsAt(String name) throws IOException {
        var url = alert(name).at("/annotations/runbook_url").asText();
        var anchors = Files.readString(Path.of(RUNBOOK))
                .lines()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w -]", "")
                        .replace(' ', '-'));

        assertThat(anchors).contains(url.substring(url.indexOf('#') + 1));
    }

    @Test
    void everyAlertIsSeenToFireAndSeenNotTo() {
        var cases = elements(Monitoring.read(Monitoring.YAML, TRIED).path("tests"))
                .flatMap(test -> elements(test.path("alert_rule_test")))
                .toList();

        assertThat(names()).allSatisfy(name -> assertThat(cases.stream()
                        .filter(one -> one.path("alertname").asText().equals(name))
                        .map(one -> one.path("exp_alerts").isEmpty()))
                .contains(true, false));
    }

    @Slow
    @Test
    void prometheusAcceptsTheRules() throws Exception {
        assertThat(promtool("check", "rules", rules().toString())).contains("SUCCESS");
    }

    @Slow
    @Test
    void theAlertsFireWhenTheyShould() throws Exception {
        var tried = rules().resolveSibling(TRIED.getFileName());
        Files.write(tried, Files.readAllBytes(TRIED));

        assertThat(promtool("test", "rules", tried.toString())).contains("SUCCESS");
    }

    /** The rules as Prometheus reads them, without what the operator puts around them. */
    private static Path rules() throws IOException {
        var file = Files.createDirectories(Path.of("target/monitoring")).resolve("rules.yml");
        Monitoring.YAML.writeValue(file.toFile(), Monitoring.yaml("alerts.yaml").path("spec"));
        return file;
    }

    private static String promtool(String... arguments) {
        var result = Tool.PROMTOOL.run(arguments);
        assertThat(result.exit()).as(result.output()).isZero();
        return result.output();
    }

    private static JsonNode alert(String name) {
        return alerts().stream()
                .filter(alert -> name(alert).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String name(JsonNode alert) {
        return alert.path("alert").asText();
    }
}

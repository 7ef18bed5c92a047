package io.holdfast.deploy;

import static io.holdfast.deploy.Monitoring.dashboard;
import static io.holdfast.deploy.Monitoring.dashboardQueries;
import static io.holdfast.deploy.Monitoring.elements;
import static io.holdfast.deploy.Monitoring.panels;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.deploy.PromQl.Match;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The dashboard works with any data source, shows one namespace or all, and claims nothing the series cannot tell. */
class DashboardTest {
    private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)}}");

    static Stream<String> queries() {
        return dashboardQueries().stream();
    }

    @Test
    void everyPanelAsksTheChosenDataSource() {
        assertThat(panels()).isNotEmpty().allSatisfy(panel -> {
            assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
            assertThat(elements(panel.path("targets"))).isNotEmpty().allSatisfy(target -> assertThat(
                            target.at("/datasource/uid").asText())
                    .isEqualTo("${datasource}"));
        });
        assertThat(elements(dashboard().at("/templating/list"))
                        .map(variable -> variable.path("name").asText()))
                .containsExactly("datasource", "namespace", "job");
    }

    @ParameterizedTest
    @MethodSource("queries")
    void everyQueryIsAboutTheChosenNamespaceAndJob(String query) {
        assertThat(PromQl.of(query).selectors()).isNotEmpty().allSatisfy(selector -> assertThat(selector.matches())
                .contains(new Match("namespace", "=~", "$namespace"), new Match("job", "=~", "$job")));
    }

    /** The average of two replicas' quantiles is a quantile of nothing. */
    @ParameterizedTest
    @MethodSource("queries")
    void quantilesOfReplicasAreNotAddedUp(String query) {
        assertThat(PromQl.of(query).groupings().stream()
                        .filter(grouping -> grouping.over().stream().anyMatch(one -> one.has("quantile"))))
                .allSatisfy(grouping -> assertThat(grouping.aggregation()).isEqualTo("max"));
        assertThat(query).doesNotContain("_bucket");
    }

    @Test
    void aLegendNamesOnlyLabelsThatTheQueryKeeps() {
        for (var panel : panels()) {
            elements(panel.path("targets")).forEach(target -> {
                var kept = PromQl.of(target.path("expr").asText()).groupings().stream()
                        .flatMap(grouping -> grouping.labels().stream())
                        .toList();
                assertThat(LEGEND_LABEL
                                .matcher(target.path("legendFormat").asText())
                                .results()
                                .map(found -> found.group(1)))
                        .as(target.path("expr").asText())
                        .isSubsetOf(kept);
            });
        }
    }

    @Test
    void panelsSayWhatTheyShowAndDoNotLieOnEachOther() {
        var taken = new HashSet<List<Integer>>();
        var ids = new HashSet<Integer>();
        elements(dashboard().path("panels")).forEach(panel -> {
            assertThat(ids.add(panel.path("id").asInt()))
                    .as("id of %s", panel.path("title"))
                    .isTrue();
            cells(panel.path("gridPos")).forEach(cell -> assertThat(taken.add(cell))
                    .as("%s at %s", panel.path("title"), cell)
                    .isTrue());
        });
        assertThat(panels())
                .allSatisfy(
                        panel -> assertThat(panel.path("description").asText()).endsWith("."));
    }

    private static Stream<List<Integer>> cells(JsonNode place) {
        assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
        return Stream.iterate(
                        0, i -> i < place.path("w").asInt() * place.path("h").asInt(), i -> i + 1)
                .map(i -> List.of(
                        place.path("x").asInt() + i % place.path("w").asInt(),
                        place.path("y").asInt() + i / place.path("w").asInt()));
    }

    @Test
    void theOverlayBringsAllOfItIntoTheNamespace() {
        var overlay = Monitoring.yaml("kustomization.yaml");
        var generated = overlay.path("configMapGenerator").path(0);
        var files = Stream.concat(elements(overlay.path("resources")), elements(generated.path("files")))
                .map(JsonNode::asText);

        assertThat(overlay.path("namespace").asText()).isEqualTo("holdfast");
        assertThat(files).allSatisfy(file -> assertThat(Files.exists(Monitoring.FOLDER.resolve(file)))
                .isTrue());
        assertThat(generated.at("/options/labels/grafana_dashboard").asText()).isEqualTo("1");
        assertThat(generated.at("/options/labels/grafana_dashboard").isTextual())
                .isTrue();
    }

    @Test
    void theServiceIsScrapedWhereItShowsItsMetricsUnderTheNameTheQueriesAskFor() {
        var spec = Monitoring.yaml("service-monitor.yaml").path("spec");

        assertThat(spec.at("/selector/matchLabels")
                        .path("app.kubernetes.io/name")
                        .asText())
                .isEqualTo("holdfast");
        assertThat(spec.path("jobLabel").asText()).isEqualTo("app.kubernetes.io/name");
        assertThat(spec.at("/endpoints/0/port").asText()).isEqualTo("http");
        assertThat(spec.at("/endpoints/0/path").asText()).isEqualTo("/q/metrics");
    }
}

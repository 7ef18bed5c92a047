package io.holdfast.deploy;

import io.holdfast.deploy.PromQl.Match;
import io.holdfast.deploy.PromQl.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The series that a service shows at one moment, and whether a query finds in them what it asks for. */
final class Scrape {
    /** What Prometheus adds to every series that it scrapes by a ServiceMonitor. */
    static final Set<String> ADDED_LABELS =
            Set.of("job", "instance", "namespace", "pod", "service", "container", "endpoint");

    /** What Prometheus says of every target itself. */
    static final Set<String> ADDED_METRICS = Set.of("up");

    private static final Pattern SERIES = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Map<String, List<Map<String, String>>> series = new HashMap<>();

    Scrape(String text) {
        SERIES.matcher(text).results().forEach(line -> series.computeIfAbsent(line.group(1), any -> new ArrayList<>())
                .add(line.group(2) == null ? Map.of() : labels(line.group(2))));
    }

    private static Map<String, String> labels(String text) {
        var labels = new HashMap<String, String>();
        LABEL.matcher(text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        return labels;
    }

    /** What the query asks for that is not there. */
    List<String> missing(String query) {
        try {
            var read = PromQl.of(query);
            var selected = read.selectors().stream().flatMap(this::missing);
            var grouped = read.groupings().stream().flatMap(grouping -> grouping.labels().stream()
                    .filter(label -> !ADDED_LABELS.contains(label))
                    .filter(label -> grouping.over().stream()
                            .noneMatch(one -> labelsOf(one.metric()).contains(label)))
                    .map(label -> "nothing that is grouped by '" + label + "' has such a label"));
            return Stream.concat(selected, grouped)
                    .map(problem -> problem + " in: " + query)
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of(e.getMessage());
        }
    }

    private Stream<String> missing(Selector selector) {
        var metric = selector.metric();
        if (!ADDED_METRICS.contains(metric) && !series.containsKey(metric)) {
            return Stream.of("there is no metric '" + metric + "'");
        }
        var ours = selector.matches().stream()
                .filter(match -> !ADDED_LABELS.contains(match.label()))
                .toList();
        var each = ours.stream().flatMap(match -> missing(metric, match)).toList();
        if (!each.isEmpty() || ours.isEmpty()) {
            return each.stream();
        }
        var together =
                series.get(metric).stream().anyMatch(labels -> ours.stream().allMatch(match -> finds(match, labels)));
        return together ? Stream.of() : Stream.of("no series of '" + metric + "' has all of " + ours);
    }

    /** Also what is left out has to be there, or somebody has misspelt it. */
    private Stream<String> missing(String metric, Match match) {
        if (!labelsOf(metric).contains(match.label())) {
            return Stream.of("'" + metric + "' has no label '" + match.label() + "'");
        }
        return Stream.of(match.operator().endsWith("~") ? match.value().split("\\|") : new String[] {match.value()})
                .filter(value -> !value.startsWith("$"))
                .filter(value -> series.get(metric).stream()
                        .noneMatch(labels -> matches(match.operator(), value, labels.get(match.label()))))
                .map(value -> "'" + metric + "' has no " + match.label() + " '" + value + "'");
    }

    private static boolean finds(Match match, Map<String, String> labels) {
        var found = matches(match.operator(), match.value(), labels.getOrDefault(match.label(), ""));
        return match.value().startsWith("$") || found != match.operator().startsWith("!");
    }

    private static boolean matches(String operator, String value, String label) {
        return label != null && (operator.endsWith("~") ? label.matches(value) : label.equals(value));
    }

    private Set<String> labelsOf(String metric) {
        var labels = new HashSet<String>();
        series.getOrDefault(metric, List.of()).forEach(one -> labels.addAll(one.keySet()));
        return labels;
    }
}

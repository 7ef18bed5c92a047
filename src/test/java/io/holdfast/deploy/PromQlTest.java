package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.deploy.PromQl.Grouping;
import io.holdfast.deploy.PromQl.Match;
import io.holdfast.deploy.PromQl.Selector;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries are read for what they ask, and one that asks for what is not there is refused. */
class PromQlTest {
    private static final Scrape SERVED = new Scrape(
            """
            # HELP failures_total Acquires that did not end with a lease
            # TYPE failures_total counter
            failures_total{reason="held",} 1.0
            failures_total{reason="gave_up",} 0.0
            waiting 0.0
            stale NaN
            calls_count{answered="true",operation="find",} 3.0
            calls_count{answered="false",operation="commit",} 3.0
            duration_seconds{quantile="0.99",} 1.5E-4
            """);

    @Test
    void aNameAloneIsASelector() {
        assertThat(PromQl.of("waiting").selectors()).containsExactly(new Selector("waiting", List.of()));
    }

    @Test
    void aSelectorHasItsMatchers() {
        assertThat(PromQl.of("a{x=\"1\",y=~\"b|c\", z!=\"\\\"}\"}[5m]").selectors())
                .containsExactly(new Selector(
                        "a",
                        List.of(new Match("x", "=", "1"), new Match("y", "=~", "b|c"), new Match("z", "!=", "\\\"}"))));
    }

    @Test
    void functionsNumbersAndOperatorsAreNoMetrics() {
        var read =
                PromQl.of("time() - max_over_time(a[$__rate_interval]) * 60 > 0.5 or absent(b offset 1h) == bool -1e3");

        assertThat(read.selectors()).extracting(Selector::metric).containsExactly("a", "b");
        assertThat(read.groupings()).isEmpty();
    }

    @Test
    void aGroupingKnowsWhatItIsAboutWhereverItStands() {
        var a = new Selector("a", List.of());
        var b = new Selector("b", List.of());

        var read = PromQl.of("sum by (x, y) (rate(a[5m])) / max(b) by (z) + min (a)");

        assertThat(read.groupings())
                .containsExactly(
                        new Grouping("sum", List.of("x", "y"), List.of(a)),
                        new Grouping("max", List.of("z"), List.of(b)),
                        new Grouping("min", List.of(), List.of(a)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rate(a[5m]", "a)", "a{x=1}", "a{x=\"1\"", "{x=\"1\"}", "rat(a[5m])", "sum by x (a)", "a # b"})
    void whatCannotBeReadIsRefused(String query) {
        assertThatThrownBy(() -> PromQl.of(query)).isInstanceOf(IllegalArgumentException.class);
        assertThat(SERVED.missing(query)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sum by (namespace, job, reason) (rate(failures_total{job=\"holdfast\"}[5m])) * 60 > 10",
                "failures_total{reason=~\"held|gave_up\"}",
                "failures_total{reason!=\"held\"}",
                "calls_count{answered=\"false\",operation=\"commit\"}",
                "calls_count{operation=~\"$operation\"}",
                "max(duration_seconds{quantile=\"0.99\"})",
                "max by (pod) (stale{namespace=~\"$namespace\"})",
                "sum by (namespace) (up{job=\"holdfast\"}) == 0 or absent(up{job=\"holdfast\"})",
            })
    void whatIsThereIsFound(String query) {
        assertThat(SERVED.missing(query)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "rate(failure_total[5m]) ; there is no metric 'failure_total'",
                "waiting + stael ; there is no metric 'stael'",
                "failures_total{raeson=\"held\"} ; 'failures_total' has no label 'raeson'",
                "failures_total{reason=\"hold\"} ; 'failures_total' has no reason 'hold'",
                "failures_total{reason!=\"hold\"} ; 'failures_total' has no reason 'hold'",
                "failures_total{reason=~\"held|gaveup\"} ; 'failures_total' has no reason 'gaveup'",
                "failures_total{reason!~\"hel\"} ; 'failures_total' has no reason 'hel'",
                "calls_count{answered=\"false\",operation=\"find\"} ; no series of 'calls_count' has all of",
                "up{reason=\"held\"} ; 'up' has no label 'reason'",
                "sum by (raeson) (failures_total) ; nothing that is grouped by 'raeson' has such a label",
                "sum by (reason) (waiting) + failures_total ; nothing that is grouped by 'reason' has such a label",
                "sum(failures_total) without (cause) ; nothing that is grouped by 'cause' has such a label",
                "duration_seconds{quantile=\"0.9\"} ; 'duration_seconds' has no quantile '0.9'",
            })
    void whatIsNotThereIsNamed(String query, String problem) {
        assertThat(SERVED.missing(query)).singleElement().asString().startsWith(problem);
    }
}

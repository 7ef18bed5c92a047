package io.holdfast.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a query asks for: its selectors, and the labels it groups by. Reads as much of the language as alerts and
 * dashboards need, and refuses the rest; promtool and Prometheus judge whether it makes sense.
 *
 * @param groupings the labels of each {@code by} and {@code without}, with the selectors they are about
 */
record PromQl(List<Selector> selectors, List<Grouping> groupings) {
    record Selector(String metric, List<Match> matches) {
        boolean has(String label) {
            return matches.stream().anyMatch(match -> match.label().equals(label));
        }
    }

    record Match(String label, String operator, String value) {}

    /** @param aggregation such as {@code sum} */
    record Grouping(String aggregation, List<String> labels, List<Selector> over) {}

    static final Set<String> AGGREGATIONS = Set.of("sum", "max", "min", "avg", "count");
    private static final Set<String> FUNCTIONS = Set.of(
            "abs", "absent", "increase", "rate", "max_over_time", "min_over_time", "time", "clamp_min", "clamp_max");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");
    private static final Pattern TOKEN = Pattern.compile("\\s*(?:(?<word>[a-zA-Z_:][a-zA-Z0-9_:]*)"
            + "|(?<string>\"(?:[^\"\\\\]|\\\\.)*\")"
            + "|(?<range>\\[[^\\]]*])"
            + "|(?<number>[0-9.]+(?:[eE][-+]?[0-9]+)?(?:ms|[smhdwy])?)"
            + "|(?<sign>=~|!~|!=|==|>=|<=|[-+*/%^<>=(){},]))");

    static PromQl of(String query) {
        return new Reader(tokens(query)).read();
    }

    private record Token(String kind, String text) {
        boolean is(String sign) {
            return kind.equals("sign") && text.equals(sign);
        }
    }

    private static List<Token> tokens(String query) {
        var tokens = new ArrayList<Token>();
        var matcher = TOKEN.matcher(query.stripTrailing());
        var at = 0;
        while (at < query.stripTrailing().length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException("cannot be read from '" + query.substring(at) + "' on: " + query);
            }
            tokens.add(token(matcher));
            at = matcher.end();
        }
        return tokens;
    }

    private static Token token(Matcher matcher) {
        for (var kind : List.of("word", "string", "range", "number", "sign")) {
            if (matcher.group(kind) != null) {
                return new Token(kind, matcher.group(kind));
            }
        }
        throw new AssertionError(matcher.group());
    }

    /** Goes through the tokens once. */
    private static final class Reader {
        private final List<Token> tokens;
        private final List<Selector> selectors = new ArrayList<>();
        private final List<Grouping> groupings = new ArrayList<>();
        private int at;

        Reader(List<Token> tokens) {
            this.tokens = tokens;
        }

        PromQl read() {
            expression();
            if (at < tokens.size()) {
                throw refused("a bracket is closed that was not opened");
            }
            return new PromQl(List.copyOf(selectors), List.copyOf(groupings));
        }

        /** Up to the bracket that closes it, or to the end. */
        private void expression() {
            while (at < tokens.size() && !tokens.get(at).is(")")) {
                var token = tokens.get(at++);
                if (token.is("(")) {
                    expression();
                    expect(")");
                } else if (token.kind().equals("word")) {
                    word(token.text());
                } else if (token.is("{") || token.is("}")) {
                    throw refused("a selector without a metric");
                }
            }
        }

        private void word(String word) {
            if (OPERATORS.contains(word)) {
                return;
            }
            if (AGGREGATIONS.contains(word)) {
                aggregation(word);
            } else if (next("(")) {
                if (!FUNCTIONS.contains(word)) {
                    throw refused("no function '" + word + "'");
                }
                expression();
                expect(")");
            } else {
                selectors.add(new Selector(word, next("{") ? matches() : List.of()));
            }
        }

        private void aggregation(String name) {
            var labels = new ArrayList<>(labels());
            var first = selectors.size();
            expect("(");
            expression();
            expect(")");
            labels.addAll(labels());
            groupings.add(new Grouping(name, labels, List.copyOf(selectors.subList(first, selectors.size()))));
        }

        private List<String> labels() {
            if (at >= tokens.size()
                    || !Set.of("by", "without").contains(tokens.get(at).text())) {
                return List.of();
            }
            at++;
            expect("(");
            var labels = new ArrayList<String>();
            while (!next(")")) {
                labels.add(take("word"));
                next(",");
            }
            return labels;
        }

        private List<Match> matches() {
            var matches = new ArrayList<Match>();
            while (!next("}")) {
                var value = new String[] {take("word"), take("sign"), take("string")};
                matches.add(new Match(value[0], value[1], value[2].substring(1, value[2].length() - 1)));
                next(",");
            }
            return matches;
        }

        private boolean next(String sign) {
            var there = at < tokens.size() && tokens.get(at).is(sign);
            at += there ? 1 : 0;
            return there;
        }

        private void expect(String sign) {
            if (!next(sign)) {
                throw refused("'" + sign + "' is missing");
            }
        }

        private String take(String kind) {
            if (at >= tokens.size() || !tokens.get(at).kind().equals(kind)) {
                throw refused("a " + kind + " is missing");
            }
            return tokens.get(at++).text();
        }

        private IllegalArgumentException refused(String why) {
            var here = tokens.subList(0, Math.min(at, tokens.size())).stream()
                    .map(Token::text)
                    .toList();
            return new IllegalArgumentException(why + " after " + String.join(" ", here));
        }
    }
}

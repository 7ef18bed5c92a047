package io.holdfast.store.dynamodb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads a condition or update expression of DynamoDB: the forms that the lock store uses, and no others. An unknown form
 * is an error, never a guess.
 */
final class FakeExpression {
    private static final Pattern TOKEN =
            Pattern.compile("\\s*([:#]?[A-Za-z_][A-Za-z0-9_]*|[0-9]+|<>|<=|>=|[=<>+\\-(),.\\[\\]])");

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, String> names;
    private final Map<String, AttributeValue> values;
    private final Set<String> used = new HashSet<>();
    private int next;

    FakeExpression(String text, Map<String, String> names, Map<String, AttributeValue> values) {
        this.names = names;
        this.values = values;
        var matcher = TOKEN.matcher(text);
        var end = 0;
        while (end < text.length() && matcher.find(end) && matcher.start() == end) {
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
        if (end < text.stripTrailing().length()) {
            throw new IllegalArgumentException("Unknown form at '" + text.substring(end) + "'");
        }
    }

    /** Which names and values it has taken so far: DynamoDB refuses requests that bring others. */
    Set<String> used() {
        return used;
    }

    boolean atEnd() {
        return next == tokens.size();
    }

    String peek() {
        return atEnd() ? "" : tokens.get(next);
    }

    String take() {
        if (atEnd()) {
            throw new IllegalArgumentException("The expression ends too soon: " + tokens);
        }
        return tokens.get(next++);
    }

    boolean takeIf(String token) {
        var there = peek().equalsIgnoreCase(token);
        if (there) {
            next++;
        }
        return there;
    }

    void expect(String token) {
        var found = take();
        if (!found.equalsIgnoreCase(token)) {
            throw new IllegalArgumentException("Expected " + token + ", found " + found + " in " + tokens);
        }
    }

    boolean peeksAtFunction(String name) {
        return peek().equals(name)
                && next + 1 < tokens.size()
                && tokens.get(next + 1).equals("(");
    }

    AttributeValue value() {
        var name = take();
        used.add(name);
        return required(values.get(name), name);
    }

    FakePath path() {
        List<Object> steps = new ArrayList<>();
        steps.add(name());
        while (true) {
            if (takeIf(".")) {
                steps.add(name());
            } else if (takeIf("[")) {
                steps.add(Integer.valueOf(take()));
                expect("]");
            } else {
                return new FakePath(steps);
            }
        }
    }

    private String name() {
        var name = take();
        if (!name.startsWith("#")) {
            return name;
        }
        used.add(name);
        return required(names.get(name), name);
    }

    private static <T> T required(T known, String name) {
        if (known == null) {
            throw new IllegalArgumentException("Nothing is known of " + name);
        }
        return known;
    }
}

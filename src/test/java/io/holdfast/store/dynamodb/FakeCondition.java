package io.holdfast.store.dynamodb;

import java.math.BigDecimal;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Judges whether an item meets a condition expression. */
final class FakeCondition {
    private final FakeExpression text;
    private final Map<String, AttributeValue> item;

    private FakeCondition(FakeExpression text, Map<String, AttributeValue> item) {
        this.text = text;
        this.item = item;
    }

    static boolean holds(FakeExpression text, Map<String, AttributeValue> item) {
        var holds = new FakeCondition(text, item).any();
        if (!text.atEnd()) {
            throw new IllegalArgumentException("The condition goes on with " + text.peek());
        }
        return holds;
    }

    private boolean any() {
        var holds = all();
        while (text.takeIf("OR")) {
            holds |= all();
        }
        return holds;
    }

    private boolean all() {
        var holds = one();
        while (text.takeIf("AND")) {
            holds &= one();
        }
        return holds;
    }

    private boolean one() {
        if (text.takeIf("NOT")) {
            return !one();
        }
        if (text.takeIf("(")) {
            var holds = any();
            text.expect(")");
            return holds;
        }
        if (text.peeksAtFunction("attribute_exists")) {
            return exists();
        }
        if (text.peeksAtFunction("attribute_not_exists")) {
            return !exists();
        }
        if (text.peeksAtFunction("contains")) {
            return contains();
        }
        return comparison();
    }

    private boolean exists() {
        text.take();
        text.expect("(");
        var found = text.path().in(item);
        text.expect(")");
        return found != null;
    }

    private boolean contains() {
        text.take();
        text.expect("(");
        var list = text.path().in(item);
        text.expect(",");
        var wanted = operand();
        text.expect(")");
        return list != null && list.hasL() && list.l().contains(wanted);
    }

    private boolean comparison() {
        var left = operand();
        var comparator = text.take();
        var right = operand();
        if (comparator.equals("<>")) {
            return left == null || right == null || !left.equals(right);
        }
        if (left == null || right == null || left.type() != right.type()) {
            return false;
        }
        return switch (comparator) {
            case "=" -> compare(left, right) == 0;
            case "<" -> compare(left, right) < 0;
            case "<=" -> compare(left, right) <= 0;
            case ">" -> compare(left, right) > 0;
            case ">=" -> compare(left, right) >= 0;
            default -> throw new IllegalArgumentException("Unknown comparator " + comparator);
        };
    }

    private static int compare(AttributeValue left, AttributeValue right) {
        return switch (left.type()) {
            case N -> new BigDecimal(left.n()).compareTo(new BigDecimal(right.n()));
            case S -> left.s().compareTo(right.s());
            default -> left.equals(right) ? 0 : 1;
        };
    }

    /** @return null if there is none */
    private AttributeValue operand() {
        if (text.peek().startsWith(":")) {
            return text.value();
        }
        if (text.peeksAtFunction("size")) {
            text.take();
            text.expect("(");
            var sized = text.path().in(item);
            text.expect(")");
            return sized == null ? null : AttributeValue.fromN(Integer.toString(sizeOf(sized)));
        }
        return text.path().in(item);
    }

    private static int sizeOf(AttributeValue sized) {
        return switch (sized.type()) {
            case L -> sized.l().size();
            case M -> sized.m().size();
            case S -> sized.s().length();
            default -> throw new IllegalArgumentException("The size of " + sized.type() + " is not known here");
        };
    }
}

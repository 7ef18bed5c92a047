package io.holdfast.store.dynamodb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Applies an update expression: everything is read from the item as it was before. */
final class FakeUpdate {
    private final FakeExpression text;
    private final Map<String, AttributeValue> item;
    private final Map<FakePath, AttributeValue> set = new LinkedHashMap<>();
    private final List<FakePath> removed = new ArrayList<>();

    private FakeUpdate(FakeExpression text, Map<String, AttributeValue> item) {
        this.text = text;
        this.item = item;
    }

    static Map<String, AttributeValue> apply(FakeExpression text, Map<String, AttributeValue> item) {
        var update = new FakeUpdate(text, item);
        update.read();
        return update.applied();
    }

    private void read() {
        while (!text.atEnd()) {
            if (text.takeIf("SET")) {
                do {
                    var path = text.path();
                    text.expect("=");
                    set.put(path, sum());
                } while (text.takeIf(","));
            } else {
                text.expect("REMOVE");
                do {
                    removed.add(text.path());
                } while (text.takeIf(","));
            }
        }
    }

    private Map<String, AttributeValue> applied() {
        var changed = item;
        for (var assignment : set.entrySet()) {
            changed = assignment.getKey().set(changed, assignment.getValue());
        }
        removed.sort(Comparator.comparingInt(FakePath::place).reversed());
        for (var path : removed) {
            changed = path.removed(changed);
        }
        return changed;
    }

    private AttributeValue sum() {
        var left = operand();
        if (text.takeIf("+")) {
            return number(numberOf(left).add(numberOf(operand())));
        }
        return text.takeIf("-") ? number(numberOf(left).subtract(numberOf(operand()))) : left;
    }

    private AttributeValue operand() {
        if (text.peek().startsWith(":")) {
            return text.value();
        }
        if (text.peeksAtFunction("if_not_exists")) {
            text.take();
            text.expect("(");
            var found = text.path().in(item);
            text.expect(",");
            var otherwise = operand();
            text.expect(")");
            return found == null ? otherwise : found;
        }
        if (text.peeksAtFunction("list_append")) {
            text.take();
            text.expect("(");
            var both = new ArrayList<>(operand().l());
            text.expect(",");
            both.addAll(operand().l());
            text.expect(")");
            return AttributeValue.fromL(both);
        }
        var found = text.path().in(item);
        if (found == null) {
            throw new IllegalArgumentException("The update refers to an attribute that the item does not have");
        }
        return found;
    }

    private static BigDecimal numberOf(AttributeValue value) {
        return new BigDecimal(value.n());
    }

    private static AttributeValue number(BigDecimal value) {
        return AttributeValue.fromN(value.toPlainString());
    }
}

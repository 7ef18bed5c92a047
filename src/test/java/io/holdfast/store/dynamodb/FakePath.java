package io.holdfast.store.dynamodb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where in an item a value is.
 *
 * @param steps names of attributes and places in lists
 */
record FakePath(List<Object> steps) {

    /** @return null if there is none */
    AttributeValue in(Map<String, AttributeValue> item) {
        AttributeValue found = AttributeValue.fromM(item);
        for (var step : steps) {
            if (found == null) {
                return null;
            }
            found = step instanceof Integer place
                    ? element(found, place)
                    : found.m().get(step);
        }
        return found;
    }

    private static AttributeValue element(AttributeValue list, int place) {
        return list.hasL() && place < list.l().size() ? list.l().get(place) : null;
    }

    /** @return the item with the value in this place */
    Map<String, AttributeValue> set(Map<String, AttributeValue> item, AttributeValue value) {
        return changed(AttributeValue.fromM(item), 0, value).m();
    }

    private AttributeValue changed(AttributeValue parent, int depth, AttributeValue value) {
        if (depth == steps.size()) {
            return value;
        }
        if (parent == null) {
            throw new IllegalArgumentException("The document path " + steps + " is invalid for update");
        }
        if (steps.get(depth) instanceof Integer place) {
            var list = new ArrayList<>(parent.l());
            if (place < list.size()) {
                list.set(place, changed(list.get(place), depth + 1, value));
            } else {
                list.add(changed(null, depth + 1, value));
            }
            return AttributeValue.fromL(list);
        }
        var map = new HashMap<>(parent.m());
        var name = (String) steps.get(depth);
        map.put(name, changed(map.get(name), depth + 1, value));
        return AttributeValue.fromM(map);
    }

    /** @return the item without what is in this place */
    Map<String, AttributeValue> removed(Map<String, AttributeValue> item) {
        var parentPath = new FakePath(steps.subList(0, steps.size() - 1));
        if (parentPath.steps().isEmpty()) {
            var map = new HashMap<>(item);
            map.remove((String) steps.getLast());
            return map;
        }
        var parent = parentPath.in(item);
        if (parent == null) {
            throw new IllegalArgumentException("The document path " + steps + " is invalid for update");
        }
        if (steps.getLast() instanceof Integer place) {
            var list = new ArrayList<>(parent.l());
            if (place < list.size()) {
                list.remove(place.intValue());
            }
            return parentPath.set(item, AttributeValue.fromL(list));
        }
        var map = new HashMap<>(parent.m());
        map.remove((String) steps.getLast());
        return parentPath.set(item, AttributeValue.fromM(map));
    }

    /** The place in its list, if it is in one; later places are removed first, so that the earlier ones stay where they are. */
    int place() {
        return steps.getLast() instanceof Integer place ? place : -1;
    }
}

package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.number;

import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Power attributes under the names that earlier builds wrote, and the write that renames them. */
final class EarlierPowerItem {
    static final String CLAIM_VERSION = "power_hold_version";

    private static final String STOP_REQUEST_PREFIX = "power_wish:";
    private static final String CLAIM_PREFIX = "power_hold:";

    /** DynamoDB limits the length of an expression. More attributes are renamed by further writes. */
    private static final int RENAMED_MAX = 40;

    private EarlierPowerItem() {}

    static String stopRequest(AppName app) {
        return STOP_REQUEST_PREFIX + app;
    }

    static String startClaim(AppName app) {
        return CLAIM_PREFIX + app;
    }

    /** Whether the item has an attribute under an earlier name. */
    static boolean isIn(Map<String, AttributeValue> item) {
        return item.keySet().stream().anyMatch(EarlierPowerItem::isEarlier);
    }

    /**
     * Renames attributes of the item. Succeeds only if each of them still has the value that was read, so no change by
     * another replica is lost or undone.
     *
     * <p>If an intent has both names, the later time counts. The two claim versions are added, so the sum differs from
     * the version in every earlier snapshot, and a commit for such a snapshot is refused.
     */
    static UpdateItemRequest rename(String table, DatabaseId id, Map<String, AttributeValue> item) {
        var earlier = item.keySet().stream()
                .filter(EarlierPowerItem::isEarlier)
                .sorted()
                .limit(RENAMED_MAX)
                .toList();
        var names = new HashMap<String, String>();
        var values = new HashMap<>(Map.of(":one", number(1)));
        var sets = new ArrayList<String>();
        var adds = new ArrayList<>(List.of(PowerItem.VERSION + " :one"));
        var conditions = new ArrayList<String>();
        for (var i = 0; i < earlier.size(); i++) {
            var before = item.get(earlier.get(i));
            names.put("#old" + i, earlier.get(i));
            values.put(":old" + i, before);
            conditions.add("#old" + i + " = :old" + i);
            if (earlier.get(i).equals(CLAIM_VERSION)) {
                adds.add(PowerItem.CLAIM_VERSION + " :old" + i);
                continue;
            }
            var newName = newNameOf(earlier.get(i));
            names.put("#new" + i, newName);
            sets.add("#new" + i + " = :new" + i);
            if (item.containsKey(newName)) {
                values.put(":seen" + i, item.get(newName));
                conditions.add("#new" + i + " = :seen" + i);
                values.put(":new" + i, later(before, item.get(newName)));
            } else {
                conditions.add("attribute_not_exists(#new" + i + ")");
                values.put(":new" + i, before);
            }
        }
        var removed =
                names.keySet().stream().filter(name -> name.startsWith("#old")).toList();
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(RegistryItem.databaseKey(id))
                .updateExpression((sets.isEmpty() ? "" : "SET " + String.join(", ", sets) + " ") + "REMOVE "
                        + String.join(", ", removed) + " ADD " + String.join(", ", adds))
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
    }

    private static boolean isEarlier(String name) {
        return name.equals(CLAIM_VERSION) || name.startsWith(STOP_REQUEST_PREFIX) || name.startsWith(CLAIM_PREFIX);
    }

    private static String newNameOf(String earlier) {
        return earlier.startsWith(STOP_REQUEST_PREFIX)
                ? PowerItem.stopRequest(new AppName(earlier.substring(STOP_REQUEST_PREFIX.length())))
                : PowerItem.startClaim(new AppName(earlier.substring(CLAIM_PREFIX.length())));
    }

    private static AttributeValue later(AttributeValue one, AttributeValue other) {
        return Long.parseLong(one.n()) > Long.parseLong(other.n()) ? one : other;
    }
}

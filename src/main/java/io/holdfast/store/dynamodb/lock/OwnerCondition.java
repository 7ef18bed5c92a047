package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.lock.model.Owner;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** {@link Owner#isSameAs} as a condition: the owner of the item's lease, or of a ticket, is that of a request. */
final class OwnerCondition {
    static final String OWNER = "owner_id";

    /** Absent if access control was off, or if the service itself holds the lease. */
    static final String SUBJECT = "subject";

    private static final String OF_LEASE = of("");
    private static final String OF_LEASE_AND_SUBJECT = withSubject("");

    private OwnerCondition() {}

    /** Adds the values of the condition, {@code :owner} and, if there is one, {@code :subject}. */
    static void putInto(Map<String, AttributeValue> values, Owner owner) {
        values.put(":owner", text(owner.value()));
        owner.subject().ifPresent(subject -> values.put(":subject", text(subject.value())));
    }

    static String ofLease(Owner owner) {
        return owner.subject().isPresent() ? OF_LEASE_AND_SUBJECT : OF_LEASE;
    }

    /** @param ticket the path of the ticket */
    static String ofTicket(String ticket, Owner owner) {
        return owner.subject().isPresent() ? withSubject(ticket + ".") : of(ticket + ".");
    }

    private static String of(String path) {
        return path + OWNER + " = :owner";
    }

    private static String withSubject(String path) {
        var subject = path + SUBJECT;
        return of(path) + " AND (attribute_not_exists(" + subject + ") OR " + subject + " = :subject)";
    }
}

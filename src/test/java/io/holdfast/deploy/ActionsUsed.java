package io.holdfast.deploy;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import io.holdfast.architecture.Code;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.rds.RdsClient;

/** The IAM actions that the code needs, by the calls in it. */
public final class ActionsUsed {
    /** Of a service that creates its table, and of no other. */
    public static final Set<String> CREATING = Set.of("dynamodb:CreateTable", "dynamodb:UpdateTimeToLive");

    private static final String TRANSACTION = "dynamodb:TransactWriteItems";

    /** A transaction has no action of its own but needs those of what it writes and checks. */
    private static final Map<String, String> PARTS = Map.of(
            "put", "dynamodb:PutItem",
            "update", "dynamodb:UpdateItem",
            "delete", "dynamodb:DeleteItem",
            "conditionCheck", "dynamodb:ConditionCheckItem");

    private ActionsUsed() {}

    /** At run time: what creates a table is left out. */
    public static Set<String> ofDynamoDb() {
        var actions = called("dynamodb", DynamoDbAsyncClient.class);
        if (actions.remove(TRANSACTION)) {
            targets(TransactWriteItem.Builder.class)
                    .map(target -> PARTS.get(target.getName()))
                    .filter(action -> action != null)
                    .forEach(actions::add);
        }
        actions.removeAll(CREATING);
        return actions;
    }

    /** The operations on items, a transaction being one. */
    static Set<String> dataOperations() {
        return called("dynamodb", DynamoDbAsyncClient.class).stream()
                .filter(action -> !CREATING.contains(action))
                .map(action -> action.substring("dynamodb:".length()))
                .filter(operation -> !operation.startsWith("Describe"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public static Set<String> ofEc2() {
        return called("ec2", Ec2Client.class);
    }

    public static Set<String> ofRds() {
        return called("rds", RdsClient.class);
    }

    private static Set<String> called(String service, Class<?> client) {
        return targets(client)
                .filter(ActionsUsed::isOperation)
                .map(target -> target.getName())
                .map(name -> service + ":" + Character.toUpperCase(name.charAt(0)) + name.substring(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** By the name of what it answers: what an answer is derived from is not imported. */
    private static boolean isOperation(CodeUnitAccessTarget target) {
        var answer = target.getRawReturnType();
        return answer.isEquivalentTo(CompletableFuture.class)
                || answer.getName().endsWith("Response");
    }

    private static Stream<? extends CodeUnitAccessTarget> targets(Class<?> owner) {
        return Code.MAIN.stream()
                .flatMap(type -> Stream.<JavaCodeUnitAccess<? extends CodeUnitAccessTarget>>concat(
                        type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream()))
                .map(access -> access.getTarget())
                .filter(target -> target.getOwner().isEquivalentTo(owner));
    }
}

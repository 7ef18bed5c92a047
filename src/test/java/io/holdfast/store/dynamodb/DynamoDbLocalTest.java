package io.holdfast.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.suite.Slow;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

@Slow
class DynamoDbLocalTest {

    private final String table = "local-" + UUID.randomUUID();
    private DynamoDbAsyncClient client;

    @BeforeEach
    void createTable() {
        client = DynamoDbLocal.shared().client();
        client.createTable(create -> create.tableName(table)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("name")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("name")
                                .keyType(KeyType.HASH)
                                .build()))
                .join();
    }

    @AfterEach
    void deleteTable() {
        client.deleteTable(delete -> delete.tableName(table)).join();
        client.close();
    }

    @Test
    void isTheSameProcessForEveryTestOfAJvm() {
        assertThat(DynamoDbLocal.shared().endpoint())
                .isEqualTo(DynamoDbLocal.shared().endpoint());
        assertThat(ProcessHandle.current().children().filter(child -> child.info()
                        .arguments()
                        .map(arguments -> String.join(" ", arguments).contains("-inMemory"))
                        .orElse(false)))
                .hasSize(1);
    }

    @Test
    void aConditionThatHoldsWritesAndReturnsTheNewItem() {
        UpdateItemResponse taken = takeAs("alice").join();

        assertThat(taken.attributes()).containsEntry("owner", AttributeValue.fromS("alice"));
    }

    @Test
    void aConditionThatFailsReturnsTheItemThatWasInTheWay() {
        takeAs("alice").join();

        Throwable refused = catchThrowable(takeAs("bob")::join);

        assertThat(refused)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(ConditionalCheckFailedException.class, e -> assertThat(e.item())
                        .containsEntry("owner", AttributeValue.fromS("alice")));
    }

    @Test
    void nothingOfTheServerIsOnTheClasspathOfTheTests() {
        assertThat(catchThrowable(() -> Class.forName("software.amazon.dynamodb.services.local.main.ServerRunner")))
                .isInstanceOf(ClassNotFoundException.class);
        assertThat(Path.of("target", "dynamodb-local")).isDirectoryContaining("glob:**DynamoDBLocal-*.jar");
    }

    private CompletableFuture<UpdateItemResponse> takeAs(String owner) {
        return client.updateItem(update -> update.tableName(table)
                .key(Map.of("name", AttributeValue.fromS("lock")))
                .updateExpression("SET #owner = :owner")
                .conditionExpression("attribute_not_exists(#owner)")
                .expressionAttributeNames(Map.of("#owner", "owner"))
                .expressionAttributeValues(Map.of(":owner", AttributeValue.fromS(owner)))
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
    }
}

package io.holdfast.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@Slow
class FaultProxyTest {

    private final DynamoDbLocal local = DynamoDbLocal.shared();
    private final String table = "proxy-" + UUID.randomUUID();
    private FaultProxy proxy;
    private DynamoDbAsyncClient direct;
    private DynamoDbAsyncClient client;

    @BeforeEach
    void createTable() {
        proxy = FaultProxy.to(local.endpoint());
        direct = local.client();
        client = local.client(proxy.endpoint());
        direct.createTable(create -> create.tableName(table)
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
        direct.deleteTable(delete -> delete.tableName(table)).join();
        client.close();
        direct.close();
        proxy.close();
    }

    @Test
    void requestsAreCountedByOperation() {
        put().join();
        put().join();
        client.listTables().join();

        assertThat(proxy.counts()).isEqualTo(Map.of("PutItem", 2, "ListTables", 1));
        assertThat(proxy.count("PutItem")).isEqualTo(2);
        assertThat(proxy.count("GetItem")).isZero();

        proxy.resetCounts();

        assertThat(proxy.counts()).isEmpty();
    }

    @Test
    void aLostAnswerIsAnExceptionForAWriteThatHappened() {
        proxy.next(Fault.LOSE_ANSWER);

        assertThat(failure(put())).isInstanceOf(SdkClientException.class);
        assertThat(isStored()).isTrue();
        assertThat(proxy.count("PutItem")).isEqualTo(1);
    }

    @Test
    void anErrorAfterTheCommitIsAnExceptionForAWriteThatHappened() {
        proxy.next(Fault.ERROR_500_AFTER_COMMIT);

        assertThat(failure(put())).isInstanceOf(InternalServerErrorException.class);
        assertThat(isStored()).isTrue();
    }

    @Test
    void anErrorBeforeTheCommitLeavesNothingBehind() {
        proxy.next(Fault.ERROR_500_BEFORE);

        assertThat(failure(put())).isInstanceOf(InternalServerErrorException.class);
        assertThat(isStored()).isFalse();
    }

    @Test
    void aThrottledWriteDidNotHappen() {
        proxy.next(Fault.THROTTLE);

        assertThat(failure(put())).isInstanceOf(ProvisionedThroughputExceededException.class);
        assertThat(isStored()).isFalse();
        assertThat(proxy.count("PutItem")).isEqualTo(1);
    }

    @Test
    void aRefusedWriteDidNotHappen() {
        proxy.next(Fault.REFUSE);

        assertThat(failure(put())).isInstanceOf(SdkClientException.class);
        assertThat(isStored()).isFalse();
    }

    @Test
    void aHangingWriteIsNeitherDoneNorAnsweredUntilHealed() {
        proxy.next(Fault.HANG);

        CompletableFuture<PutItemResponse> put = put();
        await().until(() -> proxy.count("PutItem") == 1);

        assertThat(put).isNotDone();
        assertThat(isStored()).isFalse();

        proxy.heal();

        assertThat(failure(put)).isInstanceOf(SdkClientException.class);
        assertThat(isStored()).isFalse();
    }

    @Test
    void aWriteThatHangsAfterItsCommitIsDoneButNotAnswered() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        proxy.next(Fault.HANG_AFTER_COMMIT);
        proxy.afterNext("PutItem", done::countDown);

        CompletableFuture<PutItemResponse> put = put();

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(isStored()).isTrue();
        assertThat(put).isNotDone();

        proxy.close();

        assertThat(failure(put)).isInstanceOf(SdkClientException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aFaultIsUsedUpByOneRequest(Fault fault) {
        proxy.next(fault);
        CompletableFuture<PutItemResponse> first = put();
        await().until(() -> proxy.count("PutItem") == 1);

        put().join();

        proxy.heal();
        assertThat(failure(first)).isNotNull();
    }

    @Test
    void aFaultForAnOperationLeavesTheOthersAlone() {
        proxy.next("PutItem", Fault.THROTTLE);

        client.listTables().join();

        assertThat(failure(put())).isInstanceOf(ProvisionedThroughputExceededException.class);
    }

    @Test
    void queuedFaultsComeInTheirOrderAndBeforeTheLastingOneUntilHealed() {
        proxy.always(Fault.REFUSE);
        proxy.next(Fault.THROTTLE);
        proxy.next(Fault.ERROR_500_BEFORE);

        assertThat(failure(put())).isInstanceOf(ProvisionedThroughputExceededException.class);
        assertThat(failure(put())).isInstanceOf(InternalServerErrorException.class);
        assertThat(failure(put())).isInstanceOf(SdkClientException.class);
        assertThat(failure(put())).isInstanceOf(SdkClientException.class);

        proxy.heal();

        put().join();
        assertThat(isStored()).isTrue();
    }

    @Test
    void theDateIsTheUpstreamsUntilItIsShifted() throws Exception {
        Duration near = Duration.ofMinutes(1);
        assertThat(dateLead()).isBetween(near.negated(), near);

        proxy.shiftDate(Duration.ofHours(-7));
        assertThat(dateLead().plusHours(7)).isBetween(near.negated(), near);

        proxy.next(Fault.THROTTLE);
        assertThat(dateLead().plusHours(7)).isBetween(near.negated(), near);

        proxy.shiftDate(Duration.ZERO);
        assertThat(dateLead()).isBetween(near.negated(), near);
    }

    @Test
    void hooksRunOnceBeforeAndAfterTheWrite() {
        AtomicBoolean storedBefore = new AtomicBoolean(true);
        AtomicBoolean storedAfter = new AtomicBoolean(false);
        AtomicBoolean heardAfter = new AtomicBoolean(true);
        CompletableFuture<PutItemResponse> heard = new CompletableFuture<>();
        proxy.beforeNext("PutItem", () -> storedBefore.set(isStored()));
        proxy.afterNext("PutItem", () -> {
            storedAfter.set(isStored());
            heardAfter.set(heard.isDone());
        });

        put().thenAccept(heard::complete).join();

        assertThat(storedBefore).isFalse();
        assertThat(storedAfter).isTrue();
        assertThat(heardAfter).isFalse();

        storedBefore.set(false);
        put().join();

        assertThat(storedBefore).isFalse();
    }

    @Test
    void aHookThatFailsFailsTheClosing() {
        AssertionError wrong = new AssertionError("wrong");
        FaultProxy failing = FaultProxy.to(local.endpoint());
        failing.beforeNext("ListTables", () -> {
            throw wrong;
        });

        try (DynamoDbAsyncClient through = local.client(failing.endpoint())) {
            assertThat(failure(through.listTables())).isInstanceOf(SdkClientException.class);
        }

        assertThatThrownBy(failing::close).isInstanceOf(AssertionError.class).hasCause(wrong);
    }

    private CompletableFuture<PutItemResponse> put() {
        return client.putItem(put -> put.tableName(table).item(Map.of("name", AttributeValue.fromS("lock"))));
    }

    private boolean isStored() {
        return direct.getItem(get -> get.tableName(table)
                        .key(Map.of("name", AttributeValue.fromS("lock")))
                        .consistentRead(true))
                .join()
                .hasItem();
    }

    private static Throwable failure(CompletableFuture<?> call) {
        Throwable thrown = catchThrowable(() -> call.get(60, TimeUnit.SECONDS));
        assertThat(thrown).isNotNull();
        return thrown.getCause();
    }

    /** How far the proxy's date is ahead of the one that DynamoDB Local gives. */
    private Duration dateLead() throws IOException, InterruptedException {
        return Duration.between(date(local.endpoint()), date(proxy.endpoint()));
    }

    private static Instant date(URI endpoint) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<Void> response =
                    http.send(HttpRequest.newBuilder(endpoint).build(), HttpResponse.BodyHandlers.discarding());
            assertThat(response.headers().allValues("Date")).hasSize(1);
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(
                    response.headers().firstValue("Date").orElseThrow(), Instant::from);
        }
    }
}

package io.holdfast.boot.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.boot.aws.DynamoDbTableAdmin.UnreachableException;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.suite.Slow;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;

/** What the SDK reads by itself are properties here, where a shell has variables. */
@Slow
@Timeout(60)
class DynamoDbTableAdminTest {
    /** Longer than any answer takes on a busy machine. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    @TempDir
    private Path home;

    private final String name = "desk-" + UUID.randomUUID();
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void shell() {
        environment.putAll(Map.of(
                "HOLDFAST_TABLE",
                name,
                "AWS_REGION",
                "eu-west-3",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                DynamoDbLocal.shared().endpoint().toString()));
        property("aws.accessKeyId", "AKIA");
        property("aws.secretAccessKey", "secret");
        // Nothing of the machine that the test runs on.
        property("aws.disableEc2Metadata", "true");
        property("aws.configFile", home.resolve("config").toString());
        property("aws.sharedCredentialsFile", home.resolve("credentials").toString());
    }

    @AfterEach
    void clear() {
        properties.keySet().forEach(System::clearProperty);
    }

    @Test
    void createsAGoodTableAndSaysWhetherItWasThere() {
        try (var desk = desk()) {
            assertThat(desk.create()).isTrue();
            assertThat(desk.create()).isFalse();

            assertThat(desk.problems()).isEmpty();
            assertThat(desk.warnings()).isEmpty();
        }
    }

    @Test
    void aMissingTableIsAProblemAndNoWarning() {
        try (var desk = desk()) {
            assertThat(desk.problems()).singleElement().asString().contains(name, "does not exist", "HOLDFAST_TABLE");
            assertThat(desk.warnings()).isEmpty();
        }
    }

    @Test
    void aTableWithAnotherKeyIsAProblemAndCreatingLeavesItAlone() {
        make("app_name");

        try (var desk = desk()) {
            assertThat(desk.create()).isFalse();
            assertThat(desk.problems())
                    .singleElement()
                    .asString()
                    .contains(name, "[app_name HASH S]", "[PK HASH S, SK RANGE S]");
            assertThat(desk.warnings()).singleElement().asString().contains("no TTL");
        }
    }

    @Test
    void aMissingTtlIsAWarningAndNoProblem() {
        make("PK", "SK");

        try (var desk = desk()) {
            assertThat(desk.problems()).isEmpty();
            assertThat(desk.warnings()).singleElement().asString().contains(name, "no TTL on the attribute 'ttl'");
        }
    }

    @Test
    void withoutANameTheTableIsTheServicesDefault() {
        environment.remove("HOLDFAST_TABLE");

        try (var desk = desk()) {
            assertThat(desk.table()).isEqualTo("holdfast");
        }
        environment.put("HOLDFAST_TABLE", " ");
        try (var desk = desk()) {
            assertThat(desk.table()).isEqualTo("holdfast");
        }
    }

    @Test
    void whereNobodyListensThatIsTold() throws IOException {
        int port;
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = listener.getLocalPort();
        }
        var nowhere = "http://127.0.0.1:" + port;
        environment.put("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", nowhere);

        try (var desk = desk()) {
            for (var question : List.<Runnable>of(desk::problems, desk::warnings, desk::create)) {
                assertThatThrownBy(question::run)
                        .isInstanceOf(UnreachableException.class)
                        .hasMessage(
                                "DynamoDB cannot be reached at " + nowhere + ": no connection: Connection refused.");
            }
        }
    }

    @Test
    void whoeverAcceptsAndSaysNothingIsGivenUpInTime() throws IOException {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            environment.put("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", "http://127.0.0.1:" + silent.getLocalPort());
            var timeout = Optional.of(Duration.ofMillis(200));
            try (var desk = new DynamoDbTableAdmin(environment, Clock.systemUTC(), timeout)) {
                for (var question : List.<Runnable>of(desk::problems, desk::create)) {
                    assertThatThrownBy(question::run)
                            .isInstanceOf(UnreachableException.class)
                            .hasMessageEndingWith(": no answer within 200 ms.");
                }
            }
        }
    }

    @Test
    void anEndpointThatIsNoUrlIsTold() {
        environment.put("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", "localhost:8000");

        assertThat(refused())
                .isEqualTo("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE must be a URL such as http://localhost:8000,"
                        + " and is localhost:8000.");
    }

    @Test
    void aMissingRegionIsTold() {
        environment.remove("AWS_REGION");

        assertThat(refused()).isEqualTo("No AWS region is set: set AWS_REGION.");
    }

    @Test
    void theRegionMayAlsoComeFromWhereTheSdkLooks() throws IOException {
        environment.remove("AWS_REGION");
        Files.writeString(home.resolve("config"), "[default]\nregion = eu-west-3\n", UTF_8);

        try (var desk = desk()) {
            assertThat(desk.problems()).hasSize(1);
        }
    }

    @Test
    void missingCredentialsAreTold() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");

        assertThat(refused())
                .isEqualTo("No AWS credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                        + " or AWS_PROFILE, or run Holdfast with an IAM role.");
    }

    @Test
    void credentialsThatAreRefusedAreTold() {
        property("aws.accessKeyId", "no-such-key");

        assertThat(refused()).startsWith("AWS refuses these credentials: UnrecognizedClientException, ");
    }

    @Test
    void aNameThatDynamoDbDoesNotTakeIsTold() {
        environment.put("HOLDFAST_TABLE", "a b");

        assertThat(refused())
                .startsWith("DynamoDB refuses: ValidationException, ")
                .endsWith(".");
    }

    @Test
    void nothingIsLeftRunningAndMutinyHasItsOwnTimersBack() {
        var before = Infrastructure.getDefaultExecutor();
        try (var desk = desk()) {
            desk.problems();
            assertThat(Infrastructure.getDefaultExecutor()).isNotSameAs(before);
            assertThat(threads()).isNotEmpty().allMatch(Thread::isDaemon);
        }

        assertThat(Infrastructure.getDefaultExecutor()).isSameAs(before);
    }

    private String refused() {
        try (var desk = desk()) {
            var told = catchThrowableOfType(UnreachableException.class, desk::problems);
            return told.getMessage();
        }
    }

    private DynamoDbTableAdmin desk() {
        return new DynamoDbTableAdmin(environment, Clock.systemUTC(), Optional.of(PATIENT));
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("table-"))
                .toList();
    }

    private void property(String key, String value) {
        System.setProperty(key, value);
        properties.put(key, value);
    }

    private void make(String... keys) {
        try (var client = DynamoDbLocal.shared().client()) {
            client.createTable(create -> create.tableName(name)
                            .billingMode(BillingMode.PAY_PER_REQUEST)
                            .attributeDefinitions(List.of(keys).stream()
                                    .map(key -> AttributeDefinition.builder()
                                            .attributeName(key)
                                            .attributeType("S")
                                            .build())
                                    .toList())
                            .keySchema(List.of(keys).stream()
                                    .map(key -> KeySchemaElement.builder()
                                            .attributeName(key)
                                            .keyType(key.equals(keys[0]) ? KeyType.HASH : KeyType.RANGE)
                                            .build())
                                    .toList()))
                    .join();
        }
    }
}

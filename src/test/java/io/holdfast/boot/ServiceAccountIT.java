package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.boot.aws.FakeSts;
import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Request;
import io.holdfast.remote.FakeServer.Response;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.TableMade;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program as a pod whose service account has a role: it has a token, and no access key. */
class ServiceAccountIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> ASSUMED = List.of("Credential=ASIA", "x-amz-security-token");

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final FakeSts sts = new FakeSts();
    private final FakeServer dynamoDb = new FakeServer(this::forward);
    private final FakeServer ec2 = new FakeServer(request -> Response.of(500, ""));

    @AfterEach
    void close() {
        sts.close();
        dynamoDb.close();
        ec2.close();
        http.shutdownNow();
    }

    @Test
    void aRefusedRoleKeepsItFromBeingReadyAndAGrantedOneSignsEveryCall() throws IOException {
        try (var program = PackagedProgram.launch(environment()).awaitListening();
                var calls = new ProgramCalls(program.address())) {
            var unready = calls.get("/q/health/ready");
            assertThat(unready.status()).isEqualTo(503);
            assertThat(unready.body().findValuesAsText("problem_1"))
                    .containsExactly("AWS refuses these credentials: " + FakeSts.REFUSAL + ".");
            assertThat(dynamoDb.requests()).isEmpty();

            sts.givesCredentialsFor(Duration.ofHours(1));
            program.awaitReady();

            assertThat(calls.acquire("nightly", "ada", ProgramCalls.newLockId()).status())
                    .isEqualTo(201);
            assertThat(dynamoDb.requests()).isNotEmpty().allSatisfy(request -> assertThat(
                            request.header("Authorization"))
                    .contains(ASSUMED));
            assertThatEc2IsAskedByTheSameRole(calls);
        }
    }

    private void assertThatEc2IsAskedByTheSameRole(ProgramCalls calls) {
        var database = "127.0.0.1:" + ec2.url().getPort();
        var actuator = Map.of("kind", "ec2", "instance_id", "i-0abc1234");
        var registered = calls.put(
                "/v1/databases/" + database,
                Map.of(
                        "type",
                        "postgres",
                        "host",
                        "127.0.0.1",
                        "port",
                        ec2.url().getPort(),
                        "actuator",
                        actuator));
        assertThat(registered.status()).isEqualTo(201);
        calls.put("/v1/apps/billing", Map.of("databases", List.of(database)));
        calls.post("/v1/apps/billing/stop");

        await().atMost(PATIENCE).until(() -> !ec2.requests().isEmpty());
        assertThat(ec2.requests().getFirst().header("Authorization")).contains(ASSUMED);
        assertThat(sts.calls().getLast()).containsEntry("WebIdentityToken", "token-of-the-pod");
    }

    private Map<String, String> environment() throws IOException {
        var token = Files.writeString(folder.resolve("token"), "token-of-the-pod");
        return Map.of(
                "HOLDFAST_STORE",
                "dynamodb",
                "HOLDFAST_TABLE",
                TableMade.byTheService().name(),
                "HOLDFAST_POWER_ANSWER_MAX",
                "0s",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                dynamoDb.url().toString(),
                "HOLDFAST_ACTUATOR_EC2_ENDPOINT",
                ec2.url().toString(),
                "AWS_ENDPOINT_URL_STS",
                sts.url().toString(),
                "AWS_REGION",
                "eu-west-3",
                "AWS_ROLE_ARN",
                "arn:aws:iam::123456789012:role/holdfast",
                "AWS_WEB_IDENTITY_TOKEN_FILE",
                token.toString());
    }

    private Response forward(Request request) {
        var copy = HttpRequest.newBuilder(DynamoDbLocal.shared().endpoint())
                .header("Authorization", request.header("Authorization"))
                .header("X-Amz-Date", request.header("X-Amz-Date"))
                .header("X-Amz-Target", request.header("X-Amz-Target"))
                .header("Content-Type", request.header("Content-Type"))
                .POST(BodyPublishers.ofString(request.body()));
        try {
            var answer = http.send(copy.build(), BodyHandlers.ofString());
            return Response.of(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Response.cut();
        }
    }
}

package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.ProgramCalls;
import io.holdfast.remote.TestTls;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program speaks to EC2, RDS and Kubernetes: what a native build may leave out shows here. */
class ActuatorsIT {
    private static final String WORKLOAD = "/apis/apps/v1/namespaces/shop/statefulsets/db";
    private static final String INSTANCE = "i-0abc1234";

    private final Map<String, String> environment = new HashMap<>(Map.of(
            "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(),
            "HOLDFAST_POWER_ANSWER_MAX", "0s",
            "HOLDFAST_POWER_RECONCILE_EVERY", "off",
            "HOLDFAST_POWER_LOCK_TTL", "5m",
            "HOLDFAST_POWER_LEASE_MARGIN", "1m",
            "HOLDFAST_ACTUATOR_CALL_TIMEOUT", "30s",
            "HOLDFAST_PROBE_TIMEOUT", "20s",
            "AWS_ACCESS_KEY_ID", "test",
            "AWS_SECRET_ACCESS_KEY", "test"));

    @Test
    void databasesOfEveryKindAreStoppedAndStarted() {
        try (var ec2 = new FakeEc2(INSTANCE);
                var rds = new FakeRds("orders");
                var api = kubernetes()) {
            environment.putAll(Map.of(
                    "HOLDFAST_ACTUATOR_EC2_ENDPOINT", ec2.url().toString(),
                    "HOLDFAST_ACTUATOR_RDS_ENDPOINT", rds.url().toString(),
                    "HOLDFAST_KUBERNETES_URL", api.url().toString()));
            try (var program = PackagedProgram.start(environment);
                    var calls = new ProgramCalls(program.address())) {
                register(calls, ec2.url(), Map.of("kind", "ec2", "instance_id", INSTANCE, "region", "eu-west-3"));
                register(calls, rds.url(), Map.of("kind", "rds", "identifier", "orders", "region", "eu-west-3"));
                register(
                        calls,
                        api.url(),
                        Map.of("kind", "kubernetes", "namespace", "shop", "workload", "StatefulSet", "name", "db"));
                var databases = Stream.of(ec2.url(), rds.url(), api.url())
                        .map(ActuatorsIT::id)
                        .toList();
                calls.put("/v1/apps/billing", Map.of("databases", databases));

                assertThat(decisions(calls, "stop")).containsExactly("STOPPING", "STOPPING", "STOPPING");
                ec2.is("stopped");
                rds.is("stopped");
                api.removes("db-0");
                api.becomes(WORKLOAD, "{\"status\":{\"replicas\":0,\"readyReplicas\":0}}");
                assertThat(decisions(calls, "stop")).containsExactly("STOPPED", "STOPPED", "STOPPED");
                assertThat(decisions(calls, "start")).containsExactly("STARTING", "STARTING", "STARTING");
                ec2.is("running");
                rds.is("available");
                api.runs("db-0", Map.of("app", "db"), "Running");
                api.becomes(WORKLOAD, "{\"status\":{\"replicas\":1,\"readyReplicas\":1}}");
                // The first of them still finds the start under way, and finishes it.
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> decisions(calls, "start").equals(List.of("RUNNING", "RUNNING", "RUNNING")));
            }
        }
    }

    @Test
    void kubernetesIsAskedOverTlsWithItsTokenAndBelievedByItsOwnAuthority(@TempDir Path folder) throws Exception {
        var tls = TestTls.in(folder);
        var authorizations = new CopyOnWriteArrayList<String>();
        Files.writeString(folder.resolve("token"), "one.two.three\n");
        try (var api = tls.serve(exchange -> {
            authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(404, -1);
        })) {
            environment.putAll(Map.of(
                    "HOLDFAST_KUBERNETES_URL", api.url("").toString(),
                    "HOLDFAST_KUBERNETES_TOKEN_FILE", folder.resolve("token").toString(),
                    "HOLDFAST_KUBERNETES_CA_FILE", tls.caFile().toString()));
            try (var program = PackagedProgram.start(environment);
                    var calls = new ProgramCalls(program.address())) {
                var workload = Map.of("namespace", "shop", "kind", "Deployment", "name", "billing");
                var app = Map.of("probe", "kubernetes", "kubernetes", workload, "databases", List.of());
                assertThat(calls.put("/v1/apps/billing", app).status()).isEqualTo(201);

                assertThat(calls.get("/status/quick?app=billing").text("status"))
                        .isEqualTo("UNKNOWN");
                assertThat(authorizations).containsOnly("Bearer one.two.three").isNotEmpty();
            }
        }
    }

    private static FakeKubernetes kubernetes() {
        var api = new FakeKubernetes();
        api.keeps(
                WORKLOAD,
                """
                {"kind":"StatefulSet","metadata":{"name":"db"},
                 "spec":{"replicas":1},"status":{"replicas":1,"readyReplicas":1}}""");
        api.runs("db-0", Map.of("app", "db"), "Running");
        return api;
    }

    /** A database that answers where its actuator listens. */
    private static void register(ProgramCalls calls, URI listening, Map<String, String> actuator) {
        var database =
                Map.of("type", "postgres", "host", "127.0.0.1", "port", listening.getPort(), "actuator", actuator);
        assertThat(calls.put("/v1/databases/" + id(listening), database).status())
                .isEqualTo(201);
    }

    private static String id(URI listening) {
        return "127.0.0.1:" + listening.getPort();
    }

    private static List<String> decisions(ProgramCalls calls, String action) {
        return calls.post("/v1/apps/billing/" + action).body().findValuesAsText("decision");
    }
}

package io.holdfast.boot;

import io.holdfast.boot.ProgramCalls.Answer;
import io.holdfast.stage.FakeMachine;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A database behind a webhook and two apps that share it, registered with a running program. */
final class PowerCrew implements AutoCloseable {
    /** Looks again every second, and calls nothing late that a busy machine does slowly. */
    static final Map<String, String> PATIENT = Map.of(
            "HOLDFAST_POWER_LOCK_TTL", "5m",
            "HOLDFAST_POWER_LEASE_MARGIN", "1m",
            "HOLDFAST_ACTUATOR_CALL_TIMEOUT", "30s",
            "HOLDFAST_PROBE_TIMEOUT", "30s",
            "HOLDFAST_PROBE_RUN_MAX", "1m",
            "HOLDFAST_POWER_POLL_EVERY", "20ms",
            "HOLDFAST_POWER_RECONCILE_EVERY", "1s",
            "HOLDFAST_POWER_RECONCILE_FIRST_AFTER", "0s");

    /** As patient as a short lease allows: an order is repeated when it is older than a lease. */
    static final Map<String, String> SHORT_LEASE = Map.of(
            "HOLDFAST_POWER_LOCK_TTL", "8s",
            "HOLDFAST_POWER_LEASE_MARGIN", "3s",
            "HOLDFAST_ACTUATOR_CALL_TIMEOUT", "1500ms",
            "HOLDFAST_PROBE_TIMEOUT", "5s",
            "HOLDFAST_PROBE_RUN_MAX", "5s");

    final FakeMachine machine = new FakeMachine();
    final Webhook webhook = new Webhook(machine);
    final SmallApp first = new SmallApp();
    final SmallApp second = new SmallApp();
    final String database = "i-" + UUID.randomUUID().toString().replace("-", "");
    final String firstName = "first-" + UUID.randomUUID();
    final String secondName = "second-" + UUID.randomUUID();

    PowerCrew register(ProgramCalls calls) {
        accepted(
                201,
                calls.put(
                        "/v1/databases/" + database,
                        Map.of(
                                "type",
                                "postgres",
                                "host",
                                "127.0.0.1",
                                "port",
                                webhook.port(),
                                "ec2_instance_id",
                                database,
                                "actuator",
                                webhook.actuator())));
        registerApp(calls, firstName, first);
        registerApp(calls, secondName, second);
        return this;
    }

    private void registerApp(ProgramCalls calls, String name, SmallApp app) {
        accepted(
                201,
                calls.put("/v1/apps/" + name, Map.of("url", app.url().toString(), "databases", List.of(database))));
    }

    /** The decision about the database. */
    static String stop(ProgramCalls calls, String app) {
        return calls.post("/v1/apps/" + app + "/stop")
                .body()
                .at("/results/0/decision")
                .asText();
    }

    /** Takes the database's lock from a program that was killed, as an operator does who does not wait for the lease. */
    void freeLock(ProgramCalls calls) {
        var path = "/v1/locks/DB%23" + database;
        var token = calls.get(path).token();
        accepted(200, calls.delete(path + "?force=true&reason=killed&fencing_token=" + token));
    }

    /** The orders that arrived, and each of those that were repeated only once. */
    List<String> ordersByKey() {
        var byKey = new LinkedHashMap<String, String>();
        var orders = webhook.orders();
        for (var i = 0; i < orders.size(); i++) {
            byKey.putIfAbsent(webhook.keys().get(i), orders.get(i));
        }
        return List.copyOf(byKey.values());
    }

    String observed(ProgramCalls calls) {
        return calls.get("/v1/databases/" + database).text("observed");
    }

    private static void accepted(int status, Answer answer) {
        if (answer.status() != status) {
            throw new IllegalStateException(answer.toString());
        }
    }

    @Override
    public void close() {
        webhook.close();
        first.close();
        second.close();
    }
}

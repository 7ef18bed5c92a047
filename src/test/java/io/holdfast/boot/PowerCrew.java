package io.holdfast.boot;

import io.holdfast.boot.ProgramCalls.Answer;
import io.holdfast.stage.MadeUpMachine;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A database behind a webhook and two apps that share it, registered with a running program. */
final class PowerCrew implements AutoCloseable {
    /** Short leases, and looks that come at once: a test of what happens after them must not wait for minutes. */
    static final Map<String, String> QUICK = Map.of(
            "LOCK_TTL_SECONDS", "3",
            "HOLDFAST_POWER_LEASE_MARGIN", "1s",
            "HOLDFAST_ACTUATOR_CALL_TIMEOUT", "500ms",
            "QUICK_STATUS_TIMEOUT", "1s",
            "HOLDFAST_PROBE_LOOK_MAX", "2s",
            "HOLDFAST_POWER_POLL_EVERY", "20ms",
            "HOLDFAST_POWER_RECONCILE_EVERY", "1s",
            "HOLDFAST_POWER_RECONCILE_FIRST_AFTER", "0s");

    final MadeUpMachine machine = new MadeUpMachine();
    final Webhook webhook = new Webhook(machine);
    final SmallApp first = new SmallApp();
    final SmallApp second = new SmallApp();
    final String database = "i-" + UUID.randomUUID().toString().replace("-", "");
    final String firstName = "first-" + UUID.randomUUID();
    final String secondName = "second-" + UUID.randomUUID();

    PowerCrew register(ProgramCalls calls) {
        accepted(calls.put(
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
        accepted(calls.put("/v1/apps/" + name, Map.of("url", app.url().toString(), "databases", List.of(database))));
    }

    /** The decision about the database. */
    static String stop(ProgramCalls calls, String app) {
        return calls.post("/v1/apps/" + app + "/stop")
                .body()
                .at("/results/0/decision")
                .asText();
    }

    String observed(ProgramCalls calls) {
        return calls.get("/v1/databases/" + database).text("observed");
    }

    private static void accepted(Answer answer) {
        if (answer.status() != 201) {
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

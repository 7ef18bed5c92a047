package io.holdfast.http.database;

import static io.holdfast.http.database.RegistryCalls.app;
import static io.holdfast.http.database.RegistryCalls.database;
import static io.holdfast.http.database.RegistryCalls.get;
import static io.holdfast.http.database.RegistryCalls.put;
import static io.holdfast.http.lock.LockCalls.unique;

import io.holdfast.http.Calls;
import io.holdfast.http.Json;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;

/** Stopping and starting as a client asks for it. */
public final class PowerCalls {
    private PowerCalls() {}

    /** A database of its own behind the webhook, which answers at its port, too. */
    static String registered(Webhook webhook) {
        return registered(webhook, webhook.port());
    }

    static String registered(Webhook webhook, int port) {
        var id = "i-" + UUID.randomUUID().toString().replace("-", "");
        var body = Map.of(
                "type",
                "postgres",
                "host",
                "127.0.0.1",
                "port",
                port,
                "ec2_instance_id",
                id,
                "actuator",
                webhook.actuator());
        put(database(id), body).expect(201);
        return id;
    }

    /** An app of its own that uses the databases. */
    public static String registered(String stem, SmallApp app, String... databases) {
        var name = unique(stem);
        put(app(name), Map.of("url", app.url().toString(), "databases", List.of(databases)))
                .expect(201);
        return name;
    }

    /** The only result of a stop. */
    static Json stop(String app) {
        return only(post(app(app) + "/stop"));
    }

    /** The result of a stop, asked for again while the reconciler has the database's lock. */
    static Json stopUnlessLocked(String app) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> stop(app), result -> !result.getString("decision").equals("SKIPPED_LOCK"));
    }

    /** The only result of a start. */
    static Json start(String app) {
        return only(post(app(app) + "/start"));
    }

    static Json post(String path) {
        return Calls.post(path).expect(200).json();
    }

    static Json look(String id) {
        return get(database(id)).expect(200).json();
    }

    static List<Map<String, Object>> decisions(String id) {
        return get(database(id) + "/decisions").expect(200).json().getList("decisions");
    }

    private static Json only(Json answer) {
        if (answer.getList("results").size() != 1) {
            throw new AssertionError("not one result: " + answer);
        }
        return answer.at("results[0]");
    }
}

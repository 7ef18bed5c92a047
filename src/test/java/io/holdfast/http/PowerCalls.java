package io.holdfast.http;

import static io.holdfast.http.LockCalls.unique;
import static io.holdfast.http.RegistryCalls.app;
import static io.holdfast.http.RegistryCalls.database;
import static io.holdfast.http.RegistryCalls.get;
import static io.holdfast.http.RegistryCalls.put;
import static io.restassured.RestAssured.given;

import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Stopping and starting as a client asks for it. */
final class PowerCalls {
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
        put(database(id), body).then().statusCode(201);
        return id;
    }

    /** An app of its own that uses the databases. */
    static String registered(String stem, SmallApp app, String... databases) {
        var name = unique(stem);
        put(app(name), Map.of("url", app.url().toString(), "databases", List.of(databases)))
                .then()
                .statusCode(201);
        return name;
    }

    /** The only result of a stop. */
    static JsonPath stop(String app) {
        return only(post(app(app) + "/stop"));
    }

    /** The only result of a start. */
    static JsonPath start(String app) {
        return only(post(app(app) + "/start"));
    }

    static JsonPath post(String path) {
        return given().urlEncodingEnabled(false)
                .contentType(ContentType.JSON)
                .post(path)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    static JsonPath look(String id) {
        return get(database(id)).then().statusCode(200).extract().jsonPath();
    }

    static List<Map<String, Object>> decisions(String id) {
        return get(database(id) + "/decisions")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getList("decisions");
    }

    private static JsonPath only(JsonPath answer) {
        if (answer.getList("results").size() != 1) {
            throw new AssertionError("not one result: " + answer.prettify());
        }
        return answer.setRootPath("results[0]");
    }
}

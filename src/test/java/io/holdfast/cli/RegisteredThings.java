package io.holdfast.cli;

import static io.restassured.RestAssured.given;

import io.restassured.http.ContentType;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What commands are about, registered without a command: that is quicker, and cannot be wrong in the same way. */
public final class RegisteredThings {
    private RegisteredThings() {}

    /** A database of its own that only remembers what it was told, and runs. */
    public static String database() {
        var id = newInstanceId();
        put(
                "/v1/databases/" + id,
                Map.of(
                        "type",
                        "postgres",
                        "host",
                        "db.example",
                        "ec2_instance_id",
                        id,
                        "actuator",
                        Map.of("kind", "simulated")));
        return id;
    }

    public static String newInstanceId() {
        return "i-" + UUID.randomUUID().toString().replace("-", "");
    }

    /** An app of its own that nobody can look at. */
    public static String app(String stem, String... databases) {
        var name = CliCalls.unique(stem);
        put("/v1/apps/" + name, Map.of("databases", List.of(databases)));
        return name;
    }

    public static String appAt(String url) {
        var name = CliCalls.unique("app");
        put("/v1/apps/" + name, Map.of("url", url, "databases", List.of()));
        return name;
    }

    public static void removeApp(String name) {
        given().delete("/v1/apps/" + name).then().statusCode(204);
    }

    private static void put(String path, Object body) {
        given().contentType(ContentType.JSON).body(body).put(path).then().statusCode(201);
    }
}

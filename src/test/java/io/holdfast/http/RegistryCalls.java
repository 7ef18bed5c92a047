package io.holdfast.http;

import static io.restassured.RestAssured.given;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The registry's API as a client calls it. */
final class RegistryCalls {
    static final Map<String, String> SIMULATED = Map.of("kind", "simulated");

    private RegistryCalls() {}

    /** A database of its own, registered: {@code host:5432}. */
    static String registered() {
        var host = LockCalls.unique("db");
        put(database(host + ":5432"), on(host, SIMULATED)).then().statusCode(201);
        return host + ":5432";
    }

    static Map<String, Object> on(String host, Map<String, ?> actuator) {
        return Map.of("type", "postgres", "host", host, "port", 5432, "actuator", actuator);
    }

    /** Registers a database of its own with this actuator and returns the answer. */
    static Response putWith(Map<String, ?> actuator) {
        var host = LockCalls.unique("db");
        return put(database(host + ":5432"), on(host, actuator));
    }

    static Response putApp(String app, String... databases) {
        return put(app(app), Map.of("databases", List.of(databases)));
    }

    static Response put(String path, Object body) {
        return given().urlEncodingEnabled(false)
                .contentType(ContentType.JSON)
                .body(body)
                .put(path);
    }

    static Response get(String path) {
        return given().urlEncodingEnabled(false).get(path);
    }

    static Response delete(String path) {
        return given().urlEncodingEnabled(false).delete(path);
    }

    /** All pages of a listing. */
    static List<Map<String, Object>> listAll(String what, int limit) {
        var found = new ArrayList<Map<String, Object>>();
        var query = new HashMap<String, Object>(Map.of("limit", limit));
        String cursor;
        do {
            var page = given().queryParams(query)
                    .get("/v1/" + what)
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();
            found.addAll(page.getList(what));
            cursor = page.getString("next_cursor");
            query.put("cursor", cursor);
        } while (cursor != null);
        return found;
    }

    static String app(String name) {
        return "/v1/apps/" + encoded(name);
    }

    static String database(String id) {
        return "/v1/databases/" + encoded(id);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

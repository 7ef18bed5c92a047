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
import java.util.UUID;
import java.util.stream.Collectors;

/** The lock API as a client calls it. Names are made unique, since tests may share a server. */
final class LockCalls {
    private LockCalls() {}

    static String unique(String stem) {
        return stem + "-" + UUID.randomUUID();
    }

    static Response acquire(String name, String owner) {
        return acquire(name, Map.of("owner", owner));
    }

    static Response acquire(String name, Map<String, ?> body) {
        return post(path(name), body);
    }

    /** Takes a lock that must be free. */
    static Response acquired(String name, String owner) {
        return acquired(name, Map.of("owner", owner));
    }

    static Response acquired(String name, Map<String, ?> body) {
        return acquire(name, body).then().statusCode(201).extract().response();
    }

    static Response renew(String name, Map<String, ?> body) {
        return post(path(name) + "/renew", body);
    }

    static Response heartbeat(String name, String lockId, String owner) {
        return post(path(name) + "/heartbeat", Map.of("lock_id", lockId, "owner", owner));
    }

    /** Says that the holder of what an earlier answer granted lives. */
    static Response heartbeat(Response granted) {
        return heartbeat(granted.path("name"), granted.path("lock_id"), granted.path("owner"));
    }

    static Response release(String name, String lockId, String owner) {
        return delete(name, Map.of("lock_id", lockId, "owner", owner));
    }

    /** Gives back what an earlier answer granted. */
    static Response release(Response granted) {
        return release(granted.path("name"), granted.path("lock_id"), granted.path("owner"));
    }

    static Response forceRelease(String name, long token, String reason) {
        return delete(name, Map.of("force", true, "fencing_token", token, "reason", reason));
    }

    static Response delete(String name, Map<String, ?> query) {
        return given().urlEncodingEnabled(false).delete(path(name) + "?" + query(query));
    }

    static Response get(String name) {
        return given().urlEncodingEnabled(false).get(path(name));
    }

    static Response list(Map<String, ?> query) {
        return given().urlEncodingEnabled(false).get("/v1/locks?" + query(query));
    }

    /** All pages of a listing; a page may be short, even empty, and not be the last. */
    static List<Map<String, Object>> listAll(Map<String, ?> query) {
        var found = new ArrayList<Map<String, Object>>();
        var next = new HashMap<String, Object>(query);
        String cursor;
        do {
            var page = list(next).then().statusCode(200).extract().jsonPath();
            found.addAll(page.getList("locks"));
            cursor = page.getString("next_cursor");
            next.put("cursor", cursor);
        } while (cursor != null);
        return found;
    }

    static List<String> names(List<Map<String, Object>> locks) {
        return locks.stream().map(lock -> (String) lock.get("name")).toList();
    }

    static long token(Response lock) {
        return lock.jsonPath().getLong("fencing_token");
    }

    static String path(String name) {
        return "/v1/locks/" + encoded(name);
    }

    private static Response post(String path, Map<String, ?> body) {
        return given().urlEncodingEnabled(false)
                .contentType(ContentType.JSON)
                .body(body)
                .post(path);
    }

    private static String query(Map<String, ?> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + encoded(String.valueOf(entry.getValue())))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

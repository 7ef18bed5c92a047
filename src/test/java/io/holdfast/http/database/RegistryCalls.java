package io.holdfast.http.database;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import io.holdfast.http.lock.LockCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The registry's API as a client calls it. */
public final class RegistryCalls {
    static final Map<String, String> SIMULATED = Map.of("kind", "simulated");

    private RegistryCalls() {}

    /** A database of its own, registered: {@code host:5432}. */
    static String registered() {
        var host = LockCalls.unique("db");
        put(database(host + ":5432"), on(host, SIMULATED)).expect(201);
        return host + ":5432";
    }

    static Map<String, Object> on(String host, Map<String, ?> actuator) {
        return Map.of("type", "postgres", "host", host, "port", 5432, "actuator", actuator);
    }

    /** Registers a database of its own with this actuator and returns the answer. */
    static Answer putWith(Map<String, ?> actuator) {
        var host = LockCalls.unique("db");
        return put(database(host + ":5432"), on(host, actuator));
    }

    static Answer putApp(String app, String... databases) {
        return put(app(app), Map.of("databases", List.of(databases)));
    }

    static Answer put(String path, Object body) {
        return Calls.put(path, body);
    }

    static Answer get(String path) {
        return Calls.get(path);
    }

    static Answer delete(String path) {
        return Calls.delete(path);
    }

    /** All pages of a listing. */
    static List<Map<String, Object>> listAll(String what, int limit) {
        var found = new ArrayList<Map<String, Object>>();
        var query = new HashMap<String, Object>(Map.of("limit", limit));
        String cursor;
        do {
            var page = get("/v1/" + what + "?" + Calls.query(query)).expect(200).json();
            found.addAll(page.getList(what));
            cursor = page.getString("next_cursor");
            query.put("cursor", cursor);
        } while (cursor != null);
        return found;
    }

    public static String app(String name) {
        return "/v1/apps/" + Calls.encoded(name);
    }

    static String database(String id) {
        return "/v1/databases/" + Calls.encoded(id);
    }
}

package io.holdfast.http.service;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import io.holdfast.http.lock.LockCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The API of services as clients and workers call it. Ids are made unique, since tests may share a server. */
final class ServiceCalls {
    private ServiceCalls() {}

    /** Registers a service that is not observed, and returns its id. */
    static String service() {
        var id = LockCalls.unique("service");
        put(id, Map.of()).expect(201);
        return id;
    }

    /** Registers a service and makes these moves. */
    static String service(List<String> moves) {
        var id = service();
        moves.forEach(status -> set(id, status).expect(200));
        return id;
    }

    static Answer put(String id, Object body) {
        return Calls.put(path(id), body);
    }

    static Answer get(String id) {
        return Calls.get(path(id));
    }

    static Answer remove(String id) {
        return Calls.delete(path(id));
    }

    static Answer deploy(String id) {
        return deploy(id, Map.of());
    }

    static Answer deploy(String id, Object body) {
        return Calls.post(path(id) + "/deploy", body);
    }

    /** Reports the result of the deployment that an earlier answer began. */
    static Answer report(String id, Answer deployed, String status) {
        return report(id, result(deployed, status));
    }

    static Answer report(String id, Object body) {
        return Calls.post(path(id) + "/result", body);
    }

    static Map<String, Object> result(Answer deployed, String status) {
        return new HashMap<>(Map.of(
                "deployment_id",
                deployed.<String>path("deployment_id"),
                "epoch",
                deployed.json().getLong("epoch"),
                "status",
                status));
    }

    static Answer set(String id, String status) {
        return set(id, Map.of("status", status));
    }

    static Answer set(String id, Object body) {
        return Calls.put(path(id) + "/status", body);
    }

    static String status(String id) {
        return get(id).expect(200).path("status");
    }

    static long version(String id) {
        return get(id).expect(200).json().getLong("version");
    }

    /** All moves, the newest first. */
    static List<Map<String, Object>> history(String id) {
        return all(path(id) + "/history", "moves", Map.of());
    }

    /** All pages of a list; a page may be short, even empty, and not be the last. */
    static List<Map<String, Object>> all(String path, String what, Map<String, ?> query) {
        var found = new ArrayList<Map<String, Object>>();
        var next = new HashMap<String, Object>(query);
        String cursor;
        do {
            var page = Calls.get(path + "?" + Calls.query(next)).expect(200).json();
            found.addAll(page.getList(what));
            cursor = page.getString("next_cursor");
            next.put("cursor", cursor);
        } while (cursor != null);
        return found;
    }

    static List<String> ids(Map<String, ?> query) {
        return all("/v1/services", "services", query).stream()
                .map(service -> (String) service.get("id"))
                .toList();
    }

    static String path(String id) {
        return "/v1/services/" + Calls.encoded(id);
    }
}

package io.holdfast.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The lock API as a client calls it. Names are made unique, since tests may share a server. */
final class LockCalls {
    private LockCalls() {}

    static String unique(String stem) {
        return stem + "-" + UUID.randomUUID();
    }

    static Answer acquire(String name, String owner) {
        return acquire(name, Map.of("owner", owner));
    }

    static Answer acquire(String name, Map<String, ?> body) {
        return Calls.post(path(name), body);
    }

    /** Takes a lock that must be free. */
    static Answer acquired(String name, String owner) {
        return acquired(name, Map.of("owner", owner));
    }

    static Answer acquired(String name, Map<String, ?> body) {
        return acquire(name, body).expect(201);
    }

    static Answer renew(String name, Map<String, ?> body) {
        return Calls.post(path(name) + "/renew", body);
    }

    static Answer heartbeat(String name, String lockId, String owner) {
        return Calls.post(path(name) + "/heartbeat", Map.of("lock_id", lockId, "owner", owner));
    }

    /** Says that the holder of what an earlier answer granted lives. */
    static Answer heartbeat(Answer granted) {
        return heartbeat(granted.path("name"), granted.path("lock_id"), granted.path("owner"));
    }

    static Answer release(String name, String lockId, String owner) {
        return delete(name, Map.of("lock_id", lockId, "owner", owner));
    }

    /** Gives back what an earlier answer granted. */
    static Answer release(Answer granted) {
        return release(granted.path("name"), granted.path("lock_id"), granted.path("owner"));
    }

    static Answer forceRelease(String name, long token, String reason) {
        return delete(name, Map.of("force", true, "fencing_token", token, "reason", reason));
    }

    static Answer delete(String name, Map<String, ?> query) {
        return Calls.delete(path(name) + "?" + Calls.query(query));
    }

    static Answer get(String name) {
        return Calls.get(path(name));
    }

    static Answer list(Map<String, ?> query) {
        return Calls.get("/v1/locks?" + Calls.query(query));
    }

    /** All pages of a listing; a page may be short, even empty, and not be the last. */
    static List<Map<String, Object>> listAll(Map<String, ?> query) {
        var found = new ArrayList<Map<String, Object>>();
        var next = new HashMap<String, Object>(query);
        String cursor;
        do {
            var page = list(next).expect(200).json();
            found.addAll(page.getList("locks"));
            cursor = page.getString("next_cursor");
            next.put("cursor", cursor);
        } while (cursor != null);
        return found;
    }

    static List<String> names(List<Map<String, Object>> locks) {
        return locks.stream().map(lock -> (String) lock.get("name")).toList();
    }

    static long token(Answer lock) {
        return lock.json().getLong("fencing_token");
    }

    static String path(String name) {
        return "/v1/locks/" + Calls.encoded(name);
    }
}

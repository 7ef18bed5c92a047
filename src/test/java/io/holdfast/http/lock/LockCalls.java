package io.holdfast.http.lock;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The lock API as a client calls it. Names are made unique, since tests may share a server. */
public final class LockCalls {
    private LockCalls() {}

    public static String unique(String stem) {
        return stem + "-" + UUID.randomUUID();
    }

    public static Answer acquire(String name, String owner) {
        return acquire(name, Map.of("owner", owner));
    }

    public static Answer acquire(String name, Map<String, ?> body) {
        return Calls.post(path(name), body);
    }

    /** Takes a lock that must be free. */
    public static Answer acquired(String name, String owner) {
        return acquired(name, Map.of("owner", owner));
    }

    public static Answer acquired(String name, Map<String, ?> body) {
        return acquire(name, body).expect(201);
    }

    public static Answer renew(String name, Map<String, ?> body) {
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
    public static Answer release(Answer granted) {
        return release(granted.path("name"), granted.path("lock_id"), granted.path("owner"));
    }

    public static Answer forceRelease(String name, long token, String reason) {
        return delete(name, Map.of("force", true, "fencing_token", token, "reason", reason));
    }

    public static Answer delete(String name, Map<String, ?> query) {
        return Calls.delete(path(name) + "?" + Calls.query(query));
    }

    public static Answer get(String name) {
        return Calls.get(path(name));
    }

    public static Answer list(Map<String, ?> query) {
        return Calls.get("/v1/locks?" + Calls.query(query));
    }

    /** All pages of a listing; a page may be short, even empty, and not be the last. */
    public static List<Map<String, Object>> listAll(Map<String, ?> query) {
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

    public static List<String> names(List<Map<String, Object>> locks) {
        return locks.stream().map(lock -> (String) lock.get("name")).toList();
    }

    public static long token(Answer lock) {
        return lock.json().getLong("fencing_token");
    }

    public static String path(String name) {
        return "/v1/locks/" + Calls.encoded(name);
    }
}

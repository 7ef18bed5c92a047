package io.holdfast.http.edge;

import static io.holdfast.http.edge.HostileRequest.acquire;
import static io.holdfast.http.edge.HostileRequest.post;
import static io.holdfast.http.edge.HostileRequest.renew;

import io.holdfast.http.RawHttp;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Bodies that no client should send and some will. */
final class HostileBodies {
    private static final String JSON = "Content-Type: application/json";
    private static final int BODY_MAX = 64 * 1024;

    private HostileBodies() {}

    static Stream<HostileRequest> all() {
        return Stream.of(types(), texts(), durations(), shapes(), encodings(), renewals(), sizes())
                .flatMap(List::stream);
    }

    private static List<HostileRequest> types() {
        var rows = new ArrayList<HostileRequest>();
        for (var field : List.of("owner", "ttl", "lock_id", "lock_type", "user_email")) {
            for (var wrong : List.of("1", "1.5", "true", "{}", "[]", "[\"a\"]", "{\"a\":\"b\"}")) {
                rows.add(acquire(field + " is " + wrong, with("\"%s\":%s".formatted(field, wrong))));
            }
        }
        for (var wrong : List.of("1", "true", "\"text\"", "[]", "[{}]")) {
            rows.add(acquire("metadata is " + wrong, with("\"metadata\":" + wrong)));
        }
        for (var wrong : List.of("1", "true", "null", "{}", "[]", "[\"a\"]")) {
            rows.add(acquire("a metadata value is " + wrong, with("\"metadata\":{\"k\":" + wrong + "}")));
        }
        rows.add(acquire("owner is null", "{\"owner\":null}"));
        rows.add(acquire("owner is missing", "{}"));
        rows.add(acquire("owner is in capitals", "{\"OWNER\":\"eve\"}"));
        rows.add(acquire("a field in camel case", with("\"lockId\":\"123e4567-e89b-42d3-a456-426614174000\"")));
        rows.add(acquire("an unknown field", with("\"admin\":true")));
        rows.add(acquire("an unknown field that is null", with("\"admin\":null")));
        rows.add(acquire("a field of Java", with("\"@class\":\"java.lang.Object\"")));
        return rows;
    }

    private static List<HostileRequest> texts() {
        return List.of(
                acquire("owner is empty", "{\"owner\":\"\"}"),
                acquire("owner is blank", "{\"owner\":\" \"}"),
                acquire("owner ends with a blank", "{\"owner\":\"eve \"}"),
                acquire("owner is an emoji", "{\"owner\":\"😀\"}"),
                acquire("owner is an escaped emoji", "{\"owner\":\"\\ud83d\\ude00\"}"),
                acquire("owner has a line break", "{\"owner\":\"eve\\nadmin\"}"),
                acquire("owner has a NUL", "{\"owner\":\"eve\\u0000\"}"),
                acquire("owner has a raw control character", "{\"owner\":\"eve\u0007\"}"),
                acquire("owner is a lone surrogate", "{\"owner\":\"\\ud800\"}"),
                acquire("owner has 60,000 characters", "{\"owner\":\"" + "e".repeat(60_000) + "\"}"),
                acquire("lock_id is empty", with("\"lock_id\":\"\"")),
                acquire("lock_id is no UUID", with("\"lock_id\":\"123\"")),
                acquire("lock_id is a UUID in braces", with("\"lock_id\":\"{123e4567-e89b-42d3-a456-426614174000}\"")),
                acquire("lock_id has Turkish capitals", with("\"lock_id\":\"123E4567-E89B-42D3-A456-42661417400İ\"")),
                acquire("lock_type is empty", with("\"lock_type\":\"\"")),
                acquire("lock_type is in capitals", with("\"lock_type\":\"GENERIC\"")),
                acquire("user_email has no @", with("\"user_email\":\"eve\"")),
                acquire("user_email has two @", with("\"user_email\":\"a@b@c\"")),
                acquire("user_email has a line break", with("\"user_email\":\"eve\\n@example.com\"")),
                acquire("user_email is empty", with("\"user_email\":\"\"")),
                acquire("a metadata key is empty", with("\"metadata\":{\"\":\"v\"}")),
                acquire("a metadata key is an emoji", with("\"metadata\":{\"😀\":\"v\"}")),
                acquire("a metadata key has a control character", with("\"metadata\":{\"a\\u0001\":\"v\"}")),
                acquire("a metadata value has an escape sequence", with("\"metadata\":{\"k\":\"\\u001b[2J\"}")),
                acquire("a metadata value is a lone surrogate", with("\"metadata\":{\"k\":\"\\udc00\"}")));
    }

    private static List<HostileRequest> durations() {
        return Stream.of(
                        "",
                        " ",
                        "30",
                        "30 s",
                        " 30s",
                        "-30s",
                        "+30s",
                        "1.5s",
                        "1e3s",
                        "0x10s",
                        "30S",
                        "٣٠s",
                        "NaN",
                        "Infinity",
                        "null",
                        "0s",
                        "999999999999h",
                        "999999999999d",
                        "9999999999999s",
                        "PT",
                        "P",
                        "P1Y",
                        "PT-30S",
                        "-PT30S",
                        "PT30",
                        "PT9223372036854775807S",
                        "PT99999999999999999999S",
                        "P99999999999999D",
                        "PT0.0000000001S")
                .map(ttl -> acquire("ttl is \"" + ttl + "\"", with("\"ttl\":\"" + ttl + "\"")))
                .toList();
    }

    private static List<HostileRequest> shapes() {
        var owner = "{\"owner\":\"eve\"}";
        return List.of(
                acquire("no body", ""),
                acquire("null", "null"),
                acquire("an array", "[" + owner + "]"),
                acquire("a text", "\"owner\""),
                acquire("a number", "1"),
                acquire("a number that overflows", "{\"owner\":1e999999999}"),
                acquire("a number of 20,000 digits", "{\"owner\":" + "9".repeat(20_000) + "}"),
                acquire("an unfinished object", "{\"owner\":\"eve\""),
                acquire("an unfinished text", "{\"owner\":\"eve"),
                acquire("trailing text", owner + " x"),
                acquire("two objects", owner + owner),
                acquire("a trailing comma", "{\"owner\":\"eve\",}"),
                acquire("a name twice", "{\"owner\":\"ada\",\"owner\":\"eve\"}"),
                acquire("a metadata key twice", with("\"metadata\":{\"k\":\"1\",\"k\":\"2\"}")),
                acquire("single quotes", "{'owner':'eve'}"),
                acquire("a comment", "/* hello */" + owner),
                acquire("a bare name", "{owner:\"eve\"}"),
                acquire("NaN", "{\"owner\":NaN}"),
                acquire("30,000 open arrays", with("\"metadata\":{\"k\":" + "[".repeat(30_000))),
                acquire("10,000 nested objects", with("\"metadata\":" + "{\"k\":".repeat(10_000) + "1")),
                acquire("a form", "owner=eve&ttl=30s"),
                acquire("XML", "<owner>eve</owner>"));
    }

    private static List<HostileRequest> encodings() {
        var owner = "{\"owner\":\"eve\"}";
        return List.of(
                acquire("UTF-16 with a byte order mark", "").with(owner.getBytes(StandardCharsets.UTF_16)),
                acquire("UTF-16, big endian", "").with(owner.getBytes(StandardCharsets.UTF_16BE)),
                acquire("UTF-16, little endian", "").with(owner.getBytes(StandardCharsets.UTF_16LE)),
                post("UTF-16 that says so", 400, "", JSON + "; charset=utf-16")
                        .with(owner.getBytes(StandardCharsets.UTF_16BE)),
                acquire("UTF-32", "").with(owner.getBytes(Charset.forName("UTF-32BE"))),
                acquire("UTF-8 with a byte order mark", "\ufeff" + owner),
                acquire("Latin-1", "").with(with("\"metadata\":{\"k\":\"é\"}").getBytes(StandardCharsets.ISO_8859_1)),
                acquire("an unfinished UTF-8 sequence", "")
                        .with(with("\"metadata\":{\"k\":\"\u00c3\"}").getBytes(StandardCharsets.ISO_8859_1)),
                acquire("an overlong UTF-8 sequence", "")
                        .with(with("\"metadata\":{\"k\":\"\u00c0\u00af\"}").getBytes(StandardCharsets.ISO_8859_1)),
                acquire("a surrogate in UTF-8", "")
                        .with(with("\"metadata\":{\"k\":\"\u00ed\u00a0\u0080\"}")
                                .getBytes(StandardCharsets.ISO_8859_1)),
                acquire("random bytes", "")
                        .with(new byte[] {(byte) 0x1f, (byte) 0x8b, 8, 0, 0, (byte) 0xff, (byte) 0xfe}));
    }

    private static List<HostileRequest> renewals() {
        return List.of(
                renew("a renewal without a body", ""),
                renew("a renewal of nothing", "{}"),
                renew("a renewal without an owner", "{\"lock_id\":\"{lock_id}\"}"),
                renew("a renewal without a lock_id", "{\"owner\":\"ada\"}"),
                renew("a renewal with a negative ttl", renewal("\"ttl\":\"-1s\"")),
                renew("a renewal with a number for a ttl", renewal("\"ttl\":60")),
                renew("a renewal with an enormous ttl", renewal("\"ttl\":\"PT999999999H\"")),
                renew("a renewal with a field of an acquire", renewal("\"metadata\":{}")),
                renew("a renewal with an array for an owner", "{\"lock_id\":\"{lock_id}\",\"owner\":[\"ada\"]}"));
    }

    private static List<HostileRequest> sizes() {
        var padded = "{\"owner\":\"eve\"" + " ".repeat(BODY_MAX) + "}";
        var megabytes = "{\"owner\":\"" + "e".repeat(11 << 20) + "\"}";
        return List.of(
                post("a body over 64 KiB", 413, padded, JSON),
                post("a body over 64 KiB in chunks", 413, padded, JSON).chunked(),
                post(
                                "64 KiB of blanks after the object in chunks",
                                413,
                                "{\"owner\":\"eve\"}" + " ".repeat(BODY_MAX),
                                JSON)
                        .chunked(),
                post("11 MiB in chunks", 413, megabytes, JSON).chunked(),
                post("10 GiB announced", 413, "{", JSON, "Content-Length: 10737418240"),
                post(
                        "10 GiB announced, asking first",
                        413,
                        "",
                        JSON,
                        "Expect: 100-continue",
                        "Content-Length: 10737418240"),
                post("a length beyond a long", 400, "{}", JSON, "Content-Length: 99999999999999999999")
                        .refusedByHttp(),
                post("a negative length", 400, "{}", JSON, "Content-Length: -1").refusedByHttp(),
                post("a length that is no number", 400, "{}", JSON, "Content-Length: two")
                        .refusedByHttp(),
                post("two different lengths", 400, "{}", JSON, "Content-Length: 2", "Content-Length: 1")
                        .refusedByHttp(),
                post(
                                "a chunk size that is none",
                                RawHttp.HUNG_UP,
                                "zz\r\n{}\r\n0\r\n\r\n",
                                JSON,
                                "Transfer-Encoding: chunked")
                        .refusedByHttp());
    }

    private static String with(String field) {
        return field.startsWith("\"owner\"") ? "{" + field + "}" : "{\"owner\":\"eve\"," + field + "}";
    }

    private static String renewal(String field) {
        return "{\"lock_id\":\"{lock_id}\",\"owner\":\"ada\"," + field + "}";
    }
}

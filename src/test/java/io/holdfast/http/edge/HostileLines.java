package io.holdfast.http.edge;

import static io.holdfast.http.edge.HostileRequest.delete;
import static io.holdfast.http.edge.HostileRequest.list;
import static io.holdfast.http.edge.HostileRequest.of;
import static io.holdfast.http.edge.HostileRequest.path;
import static io.holdfast.http.edge.HostileRequest.post;

import java.util.List;
import java.util.stream.Stream;

/** Paths, parameters, methods and headers that no client should send and some will. */
final class HostileLines {
    private static final String OWNER = "{\"owner\":\"eve\"}";

    private HostileLines() {}

    static Stream<HostileRequest> all() {
        return Stream.of(paths(), methods(), media(), listings(), releases(), forced())
                .flatMap(List::stream);
    }

    private static List<HostileRequest> paths() {
        return List.of(
                path("a NUL for a name", 400, "/v1/locks/%00"),
                path("a NUL in a name", 400, "/v1/locks/{free}%00"),
                path("a line break in a name", 400, "/v1/locks/{free}%0d%0aX:%20y"),
                path("a blank in a name", 400, "/v1/locks/{free}%20"),
                path("a plus in a name", 400, "/v1/locks/{free}+"),
                path("a semicolon in a name", 400, "/v1/locks/{free};v=1"),
                path("a percent sign in a name", 400, "/v1/locks/{free}%25"),
                path("a name encoded twice", 400, "/v1/locks/{free}%252F"),
                path("an emoji in a name", 400, "/v1/locks/{free}%F0%9F%98%80"),
                path("broken UTF-8 in a name", 400, "/v1/locks/{free}%C3%28"),
                path("an overlong slash in a name", 400, "/v1/locks/{free}%C0%AF"),
                path("a surrogate in a name", 400, "/v1/locks/{free}%ED%A0%80"),
                path("two dots for a name", 404, "/v1/locks/.."),
                path("two encoded dots for a name", 404, "/v1/locks/%2e%2e"),
                path("one dot for a name", 400, "/v1/locks/."),
                path("no name", 400, "/v1/locks/"),
                path("a name of 256 characters", 400, "/v1/locks/" + "x".repeat(256)),
                path("a name of 3,000 characters", 400, "/v1/locks/" + "x".repeat(3_000)),
                path("a slash that is not encoded", 404, "/v1/locks/{free}/part"),
                path("another version", 404, "/v2/locks/{free}"),
                path("an unknown action", 404, "/v1/locks/{free}/steal"),
                path("a path outside", 404, "/v1/locks/../../../etc/passwd"),
                path("percent and no hex", 400, "/v1/locks/{free}%zz").refusedByHttp(),
                path("percent at the end", 400, "/v1/locks/{free}%").refusedByHttp(),
                path("a request line over the limit", 414, "/v1/locks/" + "x".repeat(20_000))
                        .refusedByHttp(),
                of("a header over the limit", 431, "GET /v1/locks", "X-Long: " + "x".repeat(60_000))
                        .refusedByHttp(),
                of("a request line of one word", 400, "GARBAGE\r\n").refusedByHttp());
    }

    private static List<HostileRequest> methods() {
        return List.of(
                of("PUT on a lock", 405, "PUT /v1/locks/{held}"),
                of("PATCH on a lock", 405, "PATCH /v1/locks/{held}"),
                of("TRACE on a lock", 405, "TRACE /v1/locks/{held}"),
                of("a method nobody knows", 405, "STEAL /v1/locks/{held}"),
                of("a method in small letters", 405, "delete /v1/locks/{held}?lock_id={lock_id}&owner=ada"),
                of("PUT on the list", 405, "PUT /v1/locks"),
                of("POST on the list of nothing", 415, "POST /v1/locks"),
                of("DELETE on the list of nothing", 400, "DELETE /v1/locks"),
                of("DELETE on the list of no owner", 400, "DELETE /v1/locks?names={held}&lock_id={lock_id}"),
                of("GET of an action", 405, "GET /v1/locks/{held}/renew"),
                of("DELETE of an action", 405, "DELETE /v1/locks/{held}/renew"));
    }

    private static List<HostileRequest> media() {
        return List.of(
                post("text/plain", 415, OWNER, "Content-Type: text/plain"),
                post("XML's media type", 415, OWNER, "Content-Type: application/xml"),
                post("a form's media type", 415, OWNER, "Content-Type: application/x-www-form-urlencoded"),
                post("a patch's media type", 415, OWNER, "Content-Type: application/json-patch+json"),
                post("a media type without a slash", 415, OWNER, "Content-Type: json"),
                post("an empty media type", 415, OWNER, "Content-Type: "),
                post("a media type that is all commas", 415, OWNER, "Content-Type: ,,,"),
                post("no media type", 415, OWNER),
                of("an Accept for HTML", 406, "GET /v1/locks/{held}", "Accept: text/html"),
                of("an Accept for an image", 406, "GET /v1/locks", "Accept: image/png"),
                of("an Accept that is none", 406, "GET /v1/locks", "Accept: nonsense"),
                post(
                        "an acquire that accepts no JSON",
                        406,
                        OWNER,
                        "Content-Type: application/json",
                        "Accept: text/csv"));
    }

    private static List<HostileRequest> listings() {
        return List.of(
                list("a cursor that is no base64", "cursor=%21%21"),
                list("a cursor that is not UTF-8", "cursor=gICA"),
                list("a cursor of 2,000 characters", "cursor=" + "QUFB".repeat(500)),
                list("a filter that is empty", "owner="),
                list("a parameter without a value", "status"),
                list("an escape that is none", "owner=%zz").refusedByHttp(),
                list("limit 0", "limit=0"),
                list("limit -1", "limit=-1"),
                list("limit 1001", "limit=1001"),
                list("a limit that overflows", "limit=99999999999999999999"),
                list("limit 2^32 + 1", "limit=4294967297"),
                list("limit 1e3", "limit=1e3"),
                list("limit 10.0", "limit=10.0"),
                list("limit NaN", "limit=NaN"),
                list("an empty limit", "limit="),
                list("a limit in other digits", "limit=%D9%A1%D9%A0"),
                list("a limit with a blank", "limit=%2010"),
                list("an unknown status", "status=held"),
                list("a status in capitals", "status=ALL"),
                list("an unknown lock_type", "lock_type=mutex"),
                list("an owner with a line break", "owner=ada%0a"),
                list("a prefix with a blank", "prefix=a%20b"),
                list("a prefix of 256 characters", "prefix=" + "x".repeat(256)));
    }

    private static List<HostileRequest> releases() {
        return List.of(
                of("a release of nobody's", 400, "DELETE /v1/locks/{held}"),
                delete("a release without an owner", "lock_id={lock_id}"),
                delete("a release without a lock_id", "owner=ada"),
                delete("a release with an empty lock_id", "lock_id=&owner=ada"),
                delete("a release with a lock_id that is none", "lock_id=all&owner=ada"),
                delete("a release with an owner that is blank", "lock_id={lock_id}&owner=%20"),
                delete("a release with an emoji for an owner", "lock_id={lock_id}&owner=%F0%9F%98%80"));
    }

    private static List<HostileRequest> forced() {
        return List.of(
                delete("force=yes", "force=yes&fencing_token={token}&reason=stuck"),
                delete("force=TRUE", "force=TRUE&fencing_token={token}&reason=stuck"),
                delete("force=1", "force=1&fencing_token={token}&reason=stuck"),
                delete("a force release without a token", "force=true&reason=stuck"),
                delete("a force release without a reason", "force=true&fencing_token={token}"),
                delete("a force release with a blank reason", "force=true&fencing_token={token}&reason=%20"),
                delete("a force release with a lock_id", "force=true&fencing_token={token}&reason=r&lock_id={lock_id}"),
                delete("token 0", "force=true&fencing_token=0&reason=stuck"),
                delete("token -1", "force=true&fencing_token=-1&reason=stuck"),
                delete("token 1.5", "force=true&fencing_token=1.5&reason=stuck"),
                delete("token NaN", "force=true&fencing_token=NaN&reason=stuck"),
                delete("a token that overflows", "force=true&fencing_token=9223372036854775808&reason=stuck"),
                delete("a token with a plus", "force=true&fencing_token=%2B{token}&reason=stuck"),
                delete("a reason with a line break", "force=true&fencing_token={token}&reason=a%0ab"),
                delete("a reason that is not UTF-8", "force=true&fencing_token={token}&reason=a%FF"),
                delete("a negative delay", "force=true&fencing_token={token}&reason=stuck&lock_delay=-1s"),
                delete("an enormous delay", "force=true&fencing_token={token}&reason=stuck&lock_delay=999999h"),
                delete("a delay that is none", "force=true&fencing_token={token}&reason=stuck&lock_delay=soon"));
    }
}

package io.holdfast.http.edge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request that must be refused. Texts hold one byte per character; {@code {free}} stands for the name of a free lock,
 * {@code {held}}, {@code {lock_id}} and {@code {token}} for a held one.
 *
 * @param headers beside Host; a body's framing is among them
 * @param bare whether HTTP itself refuses it before the service sees it, and may do so without a problem
 */
record HostileRequest(String what, int status, String line, List<String> headers, String body, boolean bare) {
    private static final String JSON = "Content-Type: application/json";

    static HostileRequest acquire(String what, String body) {
        return post(what, 400, body, JSON);
    }

    static HostileRequest renew(String what, String body) {
        return new HostileRequest(what, 400, "POST /v1/locks/{held}/renew", List.of(JSON), utf8(body), false);
    }

    static HostileRequest delete(String what, String query) {
        return of(what, 400, "DELETE /v1/locks/{held}?" + query);
    }

    static HostileRequest list(String what, String query) {
        return of(what, 400, "GET /v1/locks?" + query);
    }

    /** An acquire that would be right, were it not for its path. */
    static HostileRequest path(String what, int status, String path) {
        return new HostileRequest(what, status, "POST " + path, List.of(JSON), "{\"owner\":\"eve\"}", false);
    }

    static HostileRequest of(String what, int status, String line, String... headers) {
        return new HostileRequest(what, status, line, List.of(headers), null, false);
    }

    static HostileRequest post(String what, int status, String body, String... headers) {
        return new HostileRequest(what, status, "POST /v1/locks/{free}", List.of(headers), utf8(body), false);
    }

    HostileRequest refusedByHttp() {
        return new HostileRequest(what, status, line, headers, body, true);
    }

    HostileRequest with(byte[] bytes) {
        return new HostileRequest(what, status, line, headers, new String(bytes, StandardCharsets.ISO_8859_1), bare);
    }

    /** The same bytes in chunks, so that their number is not known beforehand. */
    HostileRequest chunked() {
        var more = new ArrayList<>(headers);
        more.add("Transfer-Encoding: chunked");
        var chunks = new StringBuilder();
        for (var from = 0; from < body.length(); from += 8192) {
            var chunk = body.substring(from, Math.min(body.length(), from + 8192));
            chunks.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return new HostileRequest(
                what,
                status,
                line,
                List.copyOf(more),
                chunks.append("0\r\n\r\n").toString(),
                bare);
    }

    byte[] bytes(String free, String held, String lockId, long token) {
        var text =
                new StringBuilder(line.endsWith("\r\n") ? line : line + " HTTP/1.1\r\n").append("Host: localhost\r\n");
        var filled = body == null ? "" : body.replace("{lock_id}", lockId);
        headers.forEach(header -> text.append(header).append("\r\n"));
        if (body != null && headers.stream().noneMatch(HostileRequest::frames)) {
            text.append("Content-Length: ").append(filled.length()).append("\r\n");
        }
        return text.append("\r\n")
                .append(filled)
                .toString()
                .replace("{free}", free)
                .replace("{held}", held)
                .replace("{lock_id}", lockId)
                .replace("{token}", Long.toString(token))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static boolean frames(String header) {
        return header.startsWith("Content-Length") || header.startsWith("Transfer-Encoding");
    }

    @Override
    public String toString() {
        return what;
    }
}

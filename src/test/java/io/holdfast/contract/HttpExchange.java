package io.holdfast.contract;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A request to the service under test and its answer.
 *
 * @param target path and query as they were sent
 * @param sent the body of the request; null if it had none or if it is not known
 * @param headers of the answer, by their names in lower case
 * @param body of the answer; null if it was not read
 */
public record HttpExchange(
        String method, String target, String sent, int status, Map<String, String> headers, String body) {
    /** Of a header that is there twice, the first. */
    public static HttpExchange of(String target, String sent, HttpResponse<String> response) {
        var headers = new HashMap<String, String>();
        response.headers()
                .map()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        return new HttpExchange(
                response.request().method(), target, sent, response.statusCode(), headers, response.body());
    }

    String header(String name) {
        return headers.get(name);
    }

    /** Without parameters; empty if there is none. */
    String mediaType() {
        var type = headers.getOrDefault("content-type", "");
        return type.split(";", 2)[0].strip();
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    @Override
    public String toString() {
        return "%s %s, answered %d%s%s".formatted(method, target, status, headers, body == null ? "" : "\n" + body);
    }
}

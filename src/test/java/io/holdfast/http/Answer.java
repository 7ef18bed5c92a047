package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What the service answered. */
public record Answer(HttpResponse<String> response) {
    public int statusCode() {
        return response.statusCode();
    }

    public String contentType() {
        return header("Content-Type");
    }

    /** Null if it has none of this name. */
    public String header(String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    /** By their names in lower case; of a header that is there twice, the first. */
    public Map<String, String> headers() {
        var headers = new HashMap<String, String>();
        response.headers()
                .map()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        return headers;
    }

    public String asString() {
        return response.body();
    }

    public Json json() {
        return Json.from(asString());
    }

    public <T> T path(String path) {
        return json().get(path);
    }

    /** Itself, if this is its status. */
    public Answer expect(int status) {
        assertThat(statusCode()).as(asString()).isEqualTo(status);
        return this;
    }
}

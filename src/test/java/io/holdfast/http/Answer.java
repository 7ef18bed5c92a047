package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;

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

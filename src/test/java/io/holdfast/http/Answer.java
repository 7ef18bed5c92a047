package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;

/** What the service answered. */
record Answer(HttpResponse<String> response) {
    int statusCode() {
        return response.statusCode();
    }

    String contentType() {
        return header("Content-Type");
    }

    /** Null if it has none of this name. */
    String header(String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    String asString() {
        return response.body();
    }

    Json json() {
        return Json.from(asString());
    }

    <T> T path(String path) {
        return json().get(path);
    }

    /** Itself, if this is its status. */
    Answer expect(int status) {
        assertThat(statusCode()).as(asString()).isEqualTo(status);
        return this;
    }
}

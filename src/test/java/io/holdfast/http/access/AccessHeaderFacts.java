package io.holdfast.http.access;

import static io.holdfast.http.access.AccessFixture.secret;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.RawHttp;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Authorization headers as bytes, over a socket. None leads to a 5xx, and none is told back. */
public interface AccessHeaderFacts {
    @Test
    default void aHostileHeaderIsRefused() throws IOException {
        var good = secret("admin");
        for (var header : List.of(
                "Authorization:",
                "Authorization: ",
                "Authorization: Bearer",
                "Authorization: Bearer ",
                "Authorization: " + good,
                "Authorization: Bearer " + good + " " + good,
                "Authorization: Bearer " + good + ",",
                "Authorization: Bearer \"" + good + "\"",
                "Authorization: Bearer=" + good,
                "Authorization: Bearer\t" + good,
                "Authorization: Bearer " + good + "\0",
                "Authorization: Bearer \u00e9" + good,
                "Authorization: Bearer " + good.toUpperCase(),
                "Authorization: Bearer " + good + "%20",
                "Authorization: Bearer " + "x".repeat(7_000),
                "Authorization: Bearer a.b.c",
                "Authorization: Bearer ..",
                "Authorization: Bearer eyJhbGciOiJub25lIn0.e30.",
                "Authorization: Negotiate " + good,
                "Authorization: Digest " + good,
                "Authorization: Basic",
                "Authorization: Basic " + good,
                "Authorization: Basic " + base64(good),
                "Authorization: Basic " + base64("user:"),
                "Authorization: Basic " + base64("user:wrong"),
                "Authorization: Basic " + base64("user:" + good) + "!",
                "Authorization: Bearer wrong\r\nAuthorization: Bearer " + good,
                "Authorization: Bearer " + good + "\r\nAuthorization: Bearer " + good,
                "Authorization: Bearer " + good + "\r\nAuthorization:",
                "X-Authorization: Bearer " + good,
                "Proxy-Authorization: Bearer " + good,
                "Cookie: Authorization=Bearer " + good,
                "Authorization : Bearer wrong")) {
            var answer = send("GET /v1/locks HTTP/1.1\r\nHost: here\r\n" + header + "\r\n\r\n");

            assertThat(answer.status()).as(header).isIn(400, 401);
            assertThat(answer.body()).as(header).doesNotContain(good).doesNotContain("eyJ");
        }
    }

    @Test
    default void theFormsThatTheStandardsAllowAreAccepted() throws IOException {
        var good = secret("admin");
        for (var header : List.of(
                "Authorization: Bearer " + good,
                "authorization: bearer " + good,
                "AUTHORIZATION: BEARER   " + good,
                "Authorization: Basic " + base64("anyone:" + good),
                "Authorization: basic " + base64(":" + good))) {
            assertThat(send("GET /v1/about HTTP/1.1\r\nHost: here\r\n" + header + "\r\n\r\n")
                            .status())
                    .as(header)
                    .isEqualTo(200);
        }
    }

    @Test
    default void aBrowserThatRunsAScriptIsNotMadeToAskForAPassword() throws IOException {
        var answer = send("GET /v1/locks HTTP/1.1\r\nHost: here\r\nSec-Fetch-Mode: cors\r\n\r\n");

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"holdfast\"");
    }

    /** The body of the refused request is not taken for the next request. */
    @Test
    default void aConnectionGoesOnAfterARefusal() throws IOException {
        var body = "{\"owner\":\"" + "x".repeat(60_000) + "\"}";
        var refused = "POST /v1/locks/a HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
        try (var exchange = RawHttp.begin(RestAssured.port, bytes(refused))) {
            assertThat(exchange.answer().status()).isEqualTo(401);

            exchange.send(bytes(
                    "GET /v1/about HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer " + secret("admin") + "\r\n\r\n"));

            assertThat(exchange.answer().status()).isEqualTo(200);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String request) {
        return request.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static RawHttp.Answer send(String request) throws IOException {
        return RawHttp.send(RestAssured.port, bytes(request));
    }
}

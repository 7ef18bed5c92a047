package io.holdfast.http.access;

import static io.holdfast.http.access.AccessFixture.secret;
import static io.holdfast.http.access.AccessFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Calls;
import io.holdfast.http.RawHttp;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Paths that try to get past a prefix. {@code narrow} may use the locks below {@code billing/}, and no others. */
public interface AccessPathFacts {
    String OWNER = "owner-of-the-secret";

    @Test
    default void noPathLeadsToALockOutsideOfThePrefix() throws IOException {
        Calls.post("/v1/locks/secret", Map.of("owner", OWNER), "Authorization", token("admin"));
        for (var path : List.of(
                "/v1/locks/secret",
                "/v1/locks/%73ecret",
                "/v1/locks//secret",
                "//v1/locks/secret",
                "//v1//locks//secret",
                "/v1/locks/./secret",
                "/v1/locks/billing/../secret",
                "/v1/locks/billing%2F../secret",
                "/v1/locks/billing/%2e%2e/secret",
                "/v1/locks/billing%2F%2E%2E%2Fsecret/../secret",
                "/v1/locks/billing%2f/../secret",
                "/v1/locks/secret/",
                "/v1/locks/secret?name=billing%2Fdb",
                "/v1/locks/secret;billing/",
                "/v1/locks;billing/secret",
                "/v1/locks/BILLING%2Fdb",
                "/v1/locks/Billing%2Fdb",
                "/v1/locks/billing",
                "/v1/locks/billing%252Fdb",
                "/v1/locks/%2562illing%2Fdb",
                "/v1/locks/%2Fbilling%2Fdb",
                "/v1/locks/%20billing%2Fdb",
                "/v1/locks/billing%5Cdb",
                "/v1/locks/billing%EF%BC%8Fdb",
                "/v1/locks/billing%E2%81%84db",
                "/v1/locks/b%D1%96lling%2Fdb",
                "/v1/locks/billing%C0%AFdb",
                "/v1/locks/%00billing%2Fdb",
                "/v1/locks/billing%00%2Fdb",
                "/v1/locks/secret%00billing%2F",
                "/v1/locks/" + "x".repeat(3_000),
                "/v1/locks/secret/hold?owner=eve",
                "http://here/v1/locks/secret",
                "/v1/locks/secret#billing/")) {
            var answer = send("GET " + path, "Authorization: Bearer " + secret("narrow"));

            assertThat(answer.status()).as(path).isIn(400, 403, 404);
            assertThat(answer.body()).as(path).doesNotContain(OWNER);
        }
    }

    /** A name is compared as the store has it: decoded once, dots and all. */
    @Test
    default void aNameThatBeginsWithThePrefixIsAllowedHoweverItIsEncoded() throws IOException {
        for (var path : List.of(
                "/v1/locks/billing%2Fdb",
                "/v1/locks/billing%2fdb",
                "/v1/locks/%62illing%2Fdb",
                "/v1/locks/billing%2F..%2Fsecret",
                "/v1/locks/billing%2F%2Fdb",
                "//v1//locks/billing%2Fdb",
                "http://here/v1/locks/billing%2Fdb")) {
            var answer = send("GET " + path, "Authorization: Bearer " + secret("narrow"));

            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.body()).as(path).contains("There is no lock 'billing/");
        }
    }

    @Test
    default void noPathLeadsPastAuthentication() throws IOException {
        for (var path : List.of(
                "/q/../v1/locks",
                "/q/health/../../v1/locks",
                "/q/%2e%2e/v1/locks",
                "/q/..;/v1/locks",
                "/q//../v1/locks",
                "/q/openapi/../../v1/locks",
                "//q/../v1/locks",
                "/./v1/locks",
                "//v1/locks",
                "/v1//locks",
                "/V1/locks",
                "/v1/locks/",
                "/v1/locks%3F",
                "/v1%2Flocks",
                "/status/quick?app=a",
                "//status/quick?app=a",
                "http://here/v1/locks",
                "http://here/q/../v1/locks")) {
            var answer = send("GET " + path);

            assertThat(answer.status()).as(path).isIn(400, 401, 404);
            assertThat(answer.body()).as(path).doesNotContain("\"locks\"");
        }
    }

    private static RawHttp.Answer send(String line, String... headers) throws IOException {
        var request = new StringBuilder(line).append(" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n");
        for (var header : headers) {
            request.append(header).append("\r\n");
        }
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new RawHttp.Answer(Integer.parseInt(answer.split(" ", 3)[1]), Map.of(), answer);
        }
    }
}

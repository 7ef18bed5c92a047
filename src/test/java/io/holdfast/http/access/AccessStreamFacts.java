package io.holdfast.http.access;

import static io.holdfast.http.access.AccessFixture.jwt;
import static io.holdfast.http.access.AccessFixture.secret;
import static io.holdfast.http.access.AccessFixture.token;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import io.holdfast.http.lock.RawHold;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A connection that outlives its request ends when its token expires or its grant goes. */
public interface AccessStreamFacts {
    @Test
    default void aHoldEndsWhenItsTokenExpiresAndReleasesTheLock() {
        var name = unique("ci/hold");
        var header = jwt("job", Instant.now().plusSeconds(4));

        try (var hold = RawHold.as(header, RestAssured.port, path(name), "owner=ada&ttl=1m")) {
            hold.next("acquired");

            assertThat(hold.next("lost").path("cause").asText()).isEqualTo("unauthenticated");
            assertThat(hold.next().isEnd()).isTrue();
        }
        awaitReleased(name);
    }

    @Test
    default void aHoldThatStillWaitsIsAnsweredWhenItsTokenExpires() throws IOException {
        var name = unique("ci/wait");
        Calls.post(path(name), Map.of("owner", "ada"), "Authorization", token("admin"))
                .expect(201);

        var answer = Calls.get(
                path(name) + "/hold?owner=eve&wait=1m",
                "Authorization",
                jwt("job", Instant.now().plusSeconds(3)));

        assertThat(answer.statusCode()).isEqualTo(401);
        await().until(() ->
                Calls.get(path(name), "Authorization", token("admin")).<Integer>path("waiting") == 0);
    }

    @Test
    default void aHoldAndAStreamEndWhenTheirGrantGoes() throws IOException {
        var name = unique("leaving/hold");
        try (var hold = RawHold.as(token("leaving"), RestAssured.port, path(name), "owner=ada&ttl=1m");
                var events = events("leaver")) {
            hold.next("acquired");
            assertThat(next(events, "ready")).isNotNull();

            AccessFixture.write(false);

            var lost = hold.next("lost");
            assertThat(lost.path("cause").asText()).isEqualTo("forbidden");
            assertThat(lost.path("detail").asText()).contains("token:leaving").contains("acquire");
            assertThat(next(events, "ended")).contains("\"cause\":\"forbidden\"");
            awaitReleased(name);
        } finally {
            AccessFixture.write(true);
        }
        await().until(() ->
                Calls.get("/v1/services", "Authorization", token("leaving")).statusCode() == 200);
    }

    @Test
    default void aStreamOfEventsShowsTheServicesThatItsCallerMayRead() throws IOException {
        var own = unique("billing-events");
        var foreign = unique("events");
        try (var events = events("narrow")) {
            next(events, "ready");
            AccessListFacts.put("/v1/services/" + foreign, Map.of());
            AccessListFacts.put("/v1/services/" + own, Map.of());

            assertThat(next(events, "changed")).contains(own).doesNotContain(foreign);
        }
    }

    private static String path(String name) {
        return "/v1/locks/" + Calls.encoded(name);
    }

    private static void awaitReleased(String name) {
        await().until(() -> Calls.get(path(name), "Authorization", token("admin"))
                .<String>path("status")
                .equals("released"));
    }

    private static BufferedReader events(String subject) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(("GET /v1/services/events HTTP/1.1\r\nHost: here\r\nAccept: text/event-stream\r\n"
                                + "Authorization: Bearer " + secret(subject) + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The data of the next event with this name. */
    private static String next(BufferedReader events, String name) throws IOException {
        var current = "";
        for (var line = events.readLine(); line != null; line = events.readLine()) {
            if (line.startsWith("event: ")) {
                current = line.substring("event: ".length());
            } else if (line.startsWith("data: ") && current.equals(name)) {
                io.holdfast.contract.Answers.checkEvent(
                        "/v1/services/events",
                        name,
                        new com.fasterxml.jackson.databind.ObjectMapper().readTree(line.substring("data: ".length())));
                return line;
            }
        }
        throw new IllegalStateException("The stream ended without " + name);
    }
}

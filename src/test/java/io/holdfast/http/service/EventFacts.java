package io.holdfast.http.service;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.lock.LockCalls.unique;
import static io.holdfast.http.service.ServiceCalls.deploy;
import static io.holdfast.http.service.ServiceCalls.put;
import static io.holdfast.http.service.ServiceCalls.remove;
import static io.holdfast.http.service.ServiceCalls.service;
import static io.holdfast.http.service.ServiceCalls.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stream of events: live, resumed, filtered. */
interface EventFacts {
    String FUTURE = "999999999999999999-0-0-0";

    @Test
    default void aChangeAppearsInTheStream() {
        var id = service();
        try (var events = opened(RawEvents.of(id))) {
            var ready = events.next();
            assertThat(ready.name()).isEqualTo("ready");
            assertThat(ready.text("position")).isEqualTo(ready.id());

            var deployed = deploy(id, Map.of("reason", "release 42")).expect(200);

            var changed = events.next();
            assertThat(changed.name()).isEqualTo("changed");
            assertThat(changed.text("service")).isEqualTo(id);
            assertThat(changed.text("from")).isEqualTo("IDLE");
            assertThat(changed.text("to")).isEqualTo("DEPLOYING");
            assertThat(changed.text("reason")).isEqualTo("release 42");
            assertThat(changed.data().path("version").asLong())
                    .isEqualTo(deployed.json().getLong("epoch"));
            assertThat(changed.id()).isNotEqualTo(ready.id());
        }
    }

    @Test
    default void aRegistrationAndARemovalAppearInTheStream() {
        var id = unique("service");
        try (var events = opened(RawEvents.of(id))) {
            events.next();

            put(id, Map.of()).expect(201);
            remove(id).expect(200);

            var registered = events.next();
            assertThat(registered.name()).isEqualTo("changed");
            assertThat(registered.text("from")).isNull();
            assertThat(registered.text("to")).isEqualTo("IDLE");
            var removed = events.next();
            assertThat(removed.name()).isEqualTo("removed");
            assertThat(removed.text("from")).isEqualTo("IDLE");
            assertThat(removed.text("to")).isNull();
        }
    }

    @Test
    default void aClientThatConnectsAgainMissesNothing() {
        var id = service();
        String last;
        try (var events = opened(RawEvents.of(id))) {
            events.next();
            set(id, "DEPLOYING").expect(200);
            last = events.next().id();
        }
        set(id, "RUNNING").expect(200);
        set(id, "CRASHING").expect(200);

        for (var resumed :
                List.of(RawEvents.after(id, last), new RawEvents("?prefix=" + id + "&last_event_id=" + last, ""))) {
            try (var events = opened(resumed)) {
                assertThat(events.next().id()).isEqualTo(last);
                assertThat(events.next().text("to")).isEqualTo("RUNNING");
                assertThat(events.next().text("to")).isEqualTo("CRASHING");
            }
        }
        try (var newer = opened(new RawEvents(
                "?prefix=%s&last_event_id=0-0-0-0".formatted(id), "Last-Event-ID: %s\r\n".formatted(last)))) {
            assertThat(newer.next().id()).isEqualTo(last);
        }
    }

    @Test
    default void aStreamFromTheStartHasAllMovesInTheOrderOfEachService() {
        var id = service(List.of("DEPLOYING", "RUNNING", "STOPPED"));

        try (var events = opened(RawEvents.after(id, "0-0-0-0"))) {
            events.next();
            var seen = new ArrayList<String>();
            while (seen.size() < 4) {
                seen.add(events.next().text("to"));
            }
            assertThat(seen).containsExactly("IDLE", "DEPLOYING", "RUNNING", "STOPPED");
        }
    }

    @Test
    default void movesOfOtherServicesAreLeftOutAndTheClientIsMovedOn() {
        var id = service();
        var other = service();
        try (var events = opened(RawEvents.of(id))) {
            var ready = events.next().id();

            deploy(other).expect(200);

            var moved = events.any();
            while (moved.id().equals(ready)) {
                moved = events.any();
            }
            assertThat(moved.name()).isEmpty();
            set(id, "DEPLOYING").expect(200);
            assertThat(events.next().text("service")).isEqualTo(id);
        }
    }

    @Test
    default void aStreamWithoutChangesIsKeptAlive() {
        try (var events = opened(RawEvents.of(unique("none")))) {
            var ready = events.next();

            assertThat(events.any().name()).isEmpty();
            assertThat(ready.id()).isNotEmpty();
        }
    }

    @Test
    default void aClientWithAPositionThatTheStoreHasNotReachedIsToldToListAnew() {
        var id = service();
        try (var events = opened(RawEvents.after(id, FUTURE))) {
            assertThat(events.next().id())
                    .as("until it is told, it resumes from its own")
                    .isNull();
            var missed = events.next();
            assertThat(missed.name()).isEqualTo("missed");
            assertThat(missed.text("detail")).contains("List the services again");

            deploy(id).expect(200);

            assertThat(events.next().text("to")).isEqualTo("DEPLOYING");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "a-b-c-d", "1-2-3", "1-2-3-4-5", "-1-2-3-4", "1-2-3-9999999999999999999"})
    default void aPositionThatIsNoneIsRefused(String position) {
        assertInvalid(Calls.get("/v1/services/events?last_event_id=" + position), "last_event_id");
        assertInvalid(Calls.call("GET", "/v1/services/events", null, "Last-Event-ID", position), "Last-Event-ID");
    }

    @Test
    default void aStreamIsNotReadByHeadAndItsPrefixIsChecked() {
        assertThat(Calls.call("HEAD", "/v1/services/events", null).statusCode()).isEqualTo(405);
        assertInvalid(Calls.get("/v1/services/events?prefix=a%20b"), "prefix");
    }

    @Test
    default void streamsBeyondTheLimitAreRefusedAndPlacesBecomeFreeAgain() {
        var prefix = unique("none");
        var open = new ArrayList<RawEvents>();
        try {
            for (var i = 0; i < QuickServices.EVENTS_MAX; i++) {
                var events = opened(RawEvents.of(prefix));
                events.next();
                open.add(events);
            }

            var refused = Calls.get("/v1/services/events");

            assertProblem(refused, 429, "queue-full");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.<Integer>path("waiting")).isEqualTo(QuickServices.EVENTS_MAX);
            assertThat(refused.<String>path("detail")).contains("holdfast.lifecycle.events-max");
        } finally {
            open.forEach(RawEvents::close);
        }
        await().untilAsserted(() -> {
            try (var events = RawEvents.of(prefix)) {
                assertThat(events.status()).isEqualTo(200);
            }
        });
    }

    private static RawEvents opened(RawEvents events) {
        assertThat(events.status()).isEqualTo(200);
        return events;
    }
}

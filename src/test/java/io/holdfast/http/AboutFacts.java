package io.holdfast.http;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.lock.LockCalls.acquire;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service says of itself. */
public interface AboutFacts {
    Pattern VERSION = Pattern.compile("<artifactId>holdfast</artifactId>\\s*<version>([^<]+)</version>");

    String ABOUT = "/v1/about";

    /** The store of the program under test, and how many may wait for one lock at it. */
    record Settings(String store, int queueMax) {}

    default Settings settings() {
        return new Settings("embedded", 64);
    }

    @Test
    default void theServiceSaysItsVersionItsStoreAndItsLimitsAndNoMore() throws IOException {
        var version = VERSION.matcher(Files.readString(Path.of("pom.xml")));
        assertThat(version.find()).isTrue();

        var about = Calls.get(ABOUT).expect(200).json();

        assertThat(about.<String, Object>getMap("$"))
                .containsOnlyKeys("version", "store", "time", "access", "limits", "unknown_settings");
        assertThat(about.getString("version")).isEqualTo(version.group(1));
        assertThat(about.getString("store")).isEqualTo(settings().store());
        assertThat(about.getList("unknown_settings")).isEmpty();
        assertThat(about.<String, Integer>getMap("limits"))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "ttl_default_ms", 1_800_000,
                        "ttl_min_ms", 1_000,
                        "ttl_max_ms", 86_400_000,
                        "wait_max_ms", 300_000,
                        "queue_max", settings().queueMax(),
                        "set_max", 16,
                        "hold_ttl_default_ms", 60_000,
                        "max_clock_skew_ms", 1_000,
                        "body_max", 65_536));
    }

    @Test
    default void theLimitsThatAreToldAreThoseThatAreKept() {
        var ttlMax = Calls.get(ABOUT).json().getLong("limits.ttl_max_ms");

        assertThat(acquire(unique("told"), Map.of("owner", "ada", "ttl", ttlMax + "ms"))
                        .statusCode())
                .isEqualTo(201);
        assertInvalid(acquire(unique("told"), Map.of("owner", "ada", "ttl", ttlMax + 1 + "ms")), "ttl");
    }

    @Test
    default void theTimeIsThatOfTheAnswerAndOutOfNoCache() {
        var asked = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        var about = Calls.get(ABOUT);

        assertThat(about.header("Cache-Control")).isEqualTo("no-store");
        assertThat(about.<String>path("time")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(Instant.parse(about.<String>path("time"))).isBetween(asked, Instant.now());
    }

    @Test
    default void theRootSaysWhatThisIsAndWhereTheContractIs() {
        var root = Calls.get("/").expect(200);

        assertThat(root.contentType()).startsWith("text/plain");
        assertThat(root.asString())
                .startsWith("Holdfast " + Calls.get(ABOUT).<String>path("version"))
                .contains("/q/openapi", ABOUT, "docs/");
        Calls.get("/", "Accept", "text/html").expect(200);
        Calls.post("/").expect(405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    default void nothingAboutTheServiceCanBeChanged(String method) {
        var refused = Calls.call(method, ABOUT, "{}");

        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.<String>path("code")).isEqualTo("method-not-allowed");
    }

    @Test
    default void aHeadIsAnsweredLikeAGetWithoutABody() {
        var head = Calls.call("HEAD", ABOUT, null);

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.header("Cache-Control")).isEqualTo("no-store");
        assertThat(head.asString()).isEmpty();
    }

    @Test
    default void theContractHasEveryFieldOfTheAnswer() {
        var schemas = Calls.get("/q/openapi?format=json").json();
        var about = Calls.get(ABOUT).json();

        assertThat(schemas.<String, Object>getMap("components.schemas.About.properties"))
                .containsOnlyKeys(about.<String, Object>getMap("$").keySet());
        assertThat(schemas.<String, Object>getMap("components.schemas.Limits.properties"))
                .containsOnlyKeys(about.<String, Object>getMap("limits").keySet());
    }
}

package io.holdfast.http;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.RestAssured;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A page of another site cannot make a browser change something here, nor read it. */
public interface CrossSiteFacts {
    @Test
    default void aRequestThatABrowserSendsForAnotherSiteIsRefusedAndChangesNothing() {
        var name = unique("cross");
        for (var site : new String[] {"cross-site", "same-site"}) {
            assertInvalid(acquire(name, "Sec-Fetch-Site", site), "Sec-Fetch-Site");
            assertInvalid(Calls.get("/v1/locks", "Sec-Fetch-Site", site), "Sec-Fetch-Site");
        }
        for (var origin : new String[] {"https://evil.example", "null", "http://localhost:1", "localhost"}) {
            assertInvalid(acquire(name, "Origin", origin), "origin");
        }

        assertThat(Calls.get("/v1/locks/" + name).statusCode()).isEqualTo(404);
    }

    @Test
    default void aRequestOfThisSiteOrOfNoneIsServed() {
        var here = "http://localhost:" + RestAssured.port;

        assertThat(acquire(unique("own"), "Sec-Fetch-Site", "same-origin").statusCode())
                .isEqualTo(201);
        assertThat(acquire(unique("own"), "Sec-Fetch-Site", "none").statusCode())
                .isEqualTo(201);
        assertThat(acquire(unique("own"), "Origin", here).statusCode()).isEqualTo(201);
    }

    @Test
    default void otherSitesMayLinkToWhatOnlyTellsAboutTheService() {
        assertThat(Calls.get("/", "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(200);
        assertThat(Calls.get("/q/health/live", "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(200);
    }

    private static Answer acquire(String name, String header, String value) {
        return Calls.post("/v1/locks/" + name, Map.of("owner", "ada"), header, value);
    }
}
